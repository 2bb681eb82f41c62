-- What the listing said of a home when it sold: an MLS keeps it with the closing, and what became of the house
-- afterwards is learned from it.
alter table sale add column remarks text;
