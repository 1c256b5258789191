-- Reviews about people who are no longer listed leave the list, and open pages learn of new evidence.

create function has_current_record(person bigint) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (select from source_patients s where s.person_id = person)
    or exists (select from roster_patients r where r.person_id = person and r.left_at is null);
$$;
comment on function has_current_record is 'Whether a facility knows the person or a roster lists them now. Reveals nothing else, so that reviewers may count their reviews.';
revoke execute on function has_current_record from public;
grant execute on function has_current_record to tidings_app, tidings_pipeline;

alter table match_reviews add column digest text not null
  generated always as (md5(salt::text || candidates::text)) stored;
comment on column match_reviews.digest is 'Changes with the evidence. Salted, so that it reveals no evidence.';
