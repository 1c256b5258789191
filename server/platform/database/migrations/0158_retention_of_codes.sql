-- Counts of outpatients' codes are deleted after 400 days.
grant delete on outpatient_codes to tidings_pipeline;
