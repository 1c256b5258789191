/** Why a group may see a person's visits. The uploader of a roster attests one for everyone in the file; a manual entry, for one person. */
export const RELATIONSHIPS = ['TREATMENT', 'COVERAGE', 'CARE_COORDINATION'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];
export const RELATIONSHIP_LABELS: Readonly<Record<Relationship, string>> = {
  TREATMENT: 'Treatment',
  COVERAGE: 'Health coverage',
  CARE_COORDINATION: 'Care coordination',
};
