-- A record number that two people share: each is a source patient of its own, and the one who came later waits for a decision. So does a merge of two people.

alter table source_patients add column apart_from bigint references source_patients;
comment on column source_patients.apart_from is 'The source patient who had the record number before, if this one has visits under it: the demographics contradict each other, so only a person may link this one.';
create index on source_patients (apart_from) where apart_from is not null;

alter table source_patients add column merge_held bigint references source_patients;
comment on column source_patients.merge_held is 'The source patient into whom the facility merged this one, while that waits for a decision because their demographics contradict each other.';
create index on source_patients (merge_held) where merge_held is not null;
