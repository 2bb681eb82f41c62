-- The day an assessment is for. assessed_at is when it was computed; the two differ after `assess --as-of`.
alter table assessment add column assessed_on date;
comment on column assessment.assessed_on is 'The day that was assessed: nothing later was used. Null in rows of earlier versions, which are those of the day of assessed_at.';
