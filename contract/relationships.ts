/** Why a group may see a person's visits: treatment, payment or operations (45 CFR 164.506(c)). The uploader of a roster attests one for everyone in the file; a manual entry, for one person. */
export const RELATIONSHIPS = ['TREATMENT', 'COVERAGE', 'CARE_COORDINATION'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];
export const RELATIONSHIP_LABELS: Readonly<Record<Relationship, string>> = {
  TREATMENT: 'Treatment',
  COVERAGE: 'Health coverage: payment or plan operations',
  CARE_COORDINATION: 'Care coordination: health care operations',
};
