-- Answers that come in by a link are messages with an origin of their own. The facility that they are about sees them, like manual entries.

alter table messages drop constraint messages_source_check;
alter table messages add constraint messages_source_check check (source in ('MLLP', 'FHIR', 'CCDA', 'MANUAL', 'LINK'));

drop policy of_administrator on messages;
create policy of_administrator on messages to tidings_app using (
  (select administers_everything())
  or feed_id = any ((select managed_feeds())::bigint[])
  or source in ('MANUAL', 'LINK') and sending_facility = any ((select current_groups())::text[])
  or exists (select from feeds f where f.id = messages.feed_id and administers(f.organization_id))
    and exists (select from facts k where k.message_id = messages.id));
