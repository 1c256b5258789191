-- Disposition 07 has a shorter label. Filters name values by their labels.
update saved_filters set parameters = replace(parameters::text, 'Left against medical advice or discontinued care', 'Left against medical advice')::jsonb
where parameters::text like '%Left against medical advice or discontinued care%';
