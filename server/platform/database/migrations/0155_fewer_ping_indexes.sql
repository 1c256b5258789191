-- The pings of an event are found by the unique index of event and listing, too: an event has a few. Each index is written with each ping.
drop index pings_event_id_group_id_idx;
