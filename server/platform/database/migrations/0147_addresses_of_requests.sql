-- Anyone can ask to join a group, so one address may only have so many requests waiting.
alter table access_requests add column asked_from text;
comment on column access_requests.asked_from is 'The address that the request came from (of IPv6, the /64), until it is decided; null for requests from before it was stored.';
