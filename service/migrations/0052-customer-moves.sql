-- The move of a customer between two cells. 'leaving' stops new deliveries, 'closing' rejects requests
-- for less than a second, and 'moved' is final. On the new cell, the customer is 'arriving' until the
-- old cell has 'moved'. move_token is that of the move, and the same in both cells. moved_to names the
-- new cell, and moved_to_url its address.
alter table customer
  add column move_state text check (move_state in ('leaving', 'closing', 'moved', 'arriving')),
  add column move_token text,
  add column moved_to text,
  add column moved_to_url text;
