-- Whether a person waits for a review is what match_reviews says. The copy was written twice for each new person, and nothing read it.
alter table persons drop column is_provisional;
