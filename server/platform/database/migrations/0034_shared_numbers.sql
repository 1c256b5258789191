-- Record numbers that are the same patient's at several facilities of a feed.

alter table facts add column shared_feed_id bigint references feeds;
comment on column facts.shared_feed_id is 'The feed, if it sent for several facilities. What the fact says about the patient then counts at all of them that share the record number.';

comment on table shared_stays is 'For feeds that send for several facilities: the facility and record number under which a stay, or a record number with its authority, was first reported. mark is a hash of what identifies it at all of them.';
