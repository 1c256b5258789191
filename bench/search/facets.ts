/** The facets of the search bench: as many and as varied as those of the patient list's filter panel. */
export type Facet = {
  name: string;
  /** The number of different values. */
  values: number;
  /** Exponent of the frequencies: 0 is uniform; with 1, the n-th value is n times rarer than the first. */
  skew: number;
  /** For multi-valued facets: the minimum and maximum number of values in a row. */
  each?: [least: number, most: number];
};

const flags = Array.from({ length: 8 }, (_, n) => ({ name: `flag${n}`, values: 2, skew: 0.3 + n * 0.5 }));

export const SINGLES: readonly Facet[] = [
  { name: 'gender', values: 4, skew: 0.9 },
  { name: 'city', values: 2000, skew: 1 },
  { name: 'zip', values: 5000, skew: 1 },
  { name: 'status', values: 13, skew: 0.7 },
  { name: 'setting', values: 4, skew: 0.7 },
  { name: 'facility', values: 3000, skew: 1 },
  { name: 'state', values: 50, skew: 0.3 },
  { name: 'facilitytype', values: 5, skew: 0.2 },
  { name: 'unit', values: 500, skew: 0.6 },
  { name: 'admittedfrom', values: 8, skew: 0.7 },
  { name: 'dischargedto', values: 8, skew: 0.7 },
  { name: 'payor', values: 40, skew: 0.9 },
  { name: 'practice', values: 400, skew: 0.5 },
  { name: 'provider', values: 5000, skew: 0.8 },
  { name: 'coordinator', values: 300, skew: 0.4 },
  { name: 'reason', values: 7, skew: 0.7 },
  { name: 'management', values: 4, skew: 0.7 },
  ...flags,
  { name: 'ageband', values: 11, skew: 0.1 },
  { name: 'dayband', values: 9, skew: 0.5 },
  { name: 'lengthband', values: 8, skew: 0.5 },
];

export const MULTIS: readonly Facet[] = [
  { name: 'diagnosis', values: 10_000, skew: 1, each: [1, 12] },
  { name: 'pastdiagnosis', values: 10_000, skew: 1, each: [0, 20] },
  { name: 'program', values: 60, skew: 0.8, each: [0, 4] },
  { name: 'tag', values: 80, skew: 0.8, each: [0, 3] },
];

export const FACETS: readonly Facet[] = [...SINGLES, ...MULTIS];
export const NUMBERS = ['age', 'day', 'length', 'birth'] as const;

/** Returns the text of a value. Texts sort by bytes in the order of the codes. */
export const valueOf = (facet: string, code: number): string => `${facet} ${String(code).padStart(5, '0')}`;
export const codeOf = (value: string): number => Number(value.slice(-5));
