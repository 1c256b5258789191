-- Feeds are added, renamed, paused and ended by administrators.

alter table feeds add paused_at timestamptz;
alter table feeds add ended_at timestamptz;
comment on column feeds.paused_at is 'Since then its messages are kept in quarantine; they are processed when it is taken up again.';
comment on column feeds.ended_at is 'No message is of it any more. Its facilities stay: they say who may see what it sent.';

-- A name is an organisation's own; it and the sender are free again once the feed has ended.
alter table feeds drop constraint feeds_name_key;
create unique index on feeds (organization_id, name) where ended_at is null;
alter table feeds drop constraint feeds_kind_sending_application_sending_facility_key;
create unique index on feeds (kind, sending_application, sending_facility) nulls not distinct where ended_at is null;

grant insert on feeds to tidings_app;
-- Messages of a sender whom nobody knew become those of the feed that is set up for it, and count as its.
grant update (feed_id) on messages to tidings_app;
grant insert, update on feed_counts to tidings_app;
