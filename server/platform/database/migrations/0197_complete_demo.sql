-- What a part of the seeding wrote can't be told from what users did, so an interrupted one begins again on an empty database.
alter table demo_region add column is_complete boolean not null default false;
comment on column demo_region.is_complete is 'Whether the seeding ended. Until then the next start deletes the database and begins again.';
update demo_region set is_complete = exists (select from management_statuses where user_id is not null);
grant update (is_complete) on demo_region to tidings_pipeline;
