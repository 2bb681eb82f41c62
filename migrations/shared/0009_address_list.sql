-- Several normalized addresses as one text, for a trigram index. array_to_string is not immutable for every type, but it is for text.
create function address_list(keys text[]) returns text
language sql immutable parallel safe
return array_to_string(keys, chr(10));
