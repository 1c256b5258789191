-- Facts are written before the keys of new patients are locked, and first visits after it.
alter table facts alter constraint facts_encounter_id_fkey deferrable initially deferred;
