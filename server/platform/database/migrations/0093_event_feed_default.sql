-- The event feed has a default filter of its own (docs/decisions/0082).

alter table search_preferences drop constraint search_preferences_module_name_check;
alter table search_preferences add constraint search_preferences_module_name_check check (
  module_name in ('PATIENT_SEARCH', 'PING_SEARCH', 'NOTIFICATIONS', 'EXPORTS', 'HOSPITAL_PATIENT_SEARCH', 'RISING_RISK', 'EVENT_FEED'));
