-- Findings are stored and served whole and never searched inside: kept as the text they were written in, they cost the
-- server half as much to take in. What is searched (sb9, proforma) stays jsonb.

alter table assessment
  alter column explanation type json using explanation::json,
  alter column comps type json using comps::json,
  alter column adu type json using adu::json,
  alter column redevelopment type json using redevelopment::json;
