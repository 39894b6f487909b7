-- The log of a customer is merged from those of the endpoints: each state that a delivery takes on
-- cost an entry here as well.
drop index delivery_by_customer;
