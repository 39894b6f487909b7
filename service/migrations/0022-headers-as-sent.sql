-- Headers are read whole or not at all: kept as the text they are, they cost a third of what taking
-- them apart and sorting them did.
alter table delivery_attempt
  alter column request_headers type json using request_headers::json,
  alter column response_headers type json using response_headers::json;
