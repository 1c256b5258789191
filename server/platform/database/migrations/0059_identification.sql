-- Whom a person took a subject from is asked for everyone who may be the same person, and almost no one has such a link.
create index on person_links (subject, subject_id) where outcome = 'undone';

-- Of the columns that statements search by. The others take most of the time: a list has thirty, with arrays among them.
create or replace function analyze_rosters() returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  analyze roster_patients (id, group_id, member_id, person_id, left_at, leaves_at, content_hash, sort_last, sound_last, date_of_birth),
    blocking_keys, persons;
end $$;
