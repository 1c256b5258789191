-- Who may be taken for whom: families that sound alike are found by index.

alter table roster_patients add column sound_last text collate "C" not null default '';
comment on column roster_patients.sound_last is 'How the family name sounds (server/matching/similar-names.ts); empty: nobody is warned of namesakes.';
drop index roster_patients_names;
create index roster_patients_sounds on roster_patients (group_id, sound_last) where left_at is null;
