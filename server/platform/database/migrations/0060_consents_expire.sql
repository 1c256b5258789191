-- A consent may name the day on which it expires (42 CFR 2.31(a)(7)).

alter table consents add column expires_on date;
comment on column consents.expires_on is 'The last day of the consent, in the facility''s time zone; null if it has none. A job ends it afterwards.';
create index on consents (expires_on) where ended_at is null and expires_on is not null;
