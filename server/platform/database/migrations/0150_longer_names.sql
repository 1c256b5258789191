-- Names of kept spotlights and of programs take 120 characters.

alter table custom_spotlights
  drop constraint custom_spotlights_title_check,
  add constraint custom_spotlights_title_check check (length(title) between 1 and 120);
alter table hl7_programs
  drop constraint hl7_programs_name_check,
  add constraint hl7_programs_name_check check (name <> '' and length(name) <= 120);
