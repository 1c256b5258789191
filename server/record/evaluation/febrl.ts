/** The sets of FEBRL (Freely Extensible Biomedical Record Linkage): invented Australians, each with clean and corrupted records. */
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';

export interface FebrlRecord {
  /** The number in rec_id, which all records of one person share. */
  person: string;
  /** 0 for the original, 1 and more for duplicates. */
  version: number;
  demographics: Demographics;
}

/** Lists that people are looked up in, and the records that arrive. Each true pair is in one round. */
export interface Round {
  listed: readonly FebrlRecord[];
  arriving: readonly FebrlRecord[];
}

// biome-ignore format: a list
const COLUMNS = [
  'rec_id', 'given_name', 'surname', 'street_number', 'address_1', 'address_2', 'suburb', 'postcode', 'state', 'date_of_birth',
  'soc_sec_id',
] as const;

/**
 * Reads a file of FEBRL. Values have a blank after the comma and no quotes. Postcodes have four digits and get a zero in front, since
 * ZIP codes have five. Throws if a column is missing or a rec_id has no number.
 */
export function parseFebrl(text: string): FebrlRecord[] {
  const [header = '', ...rows] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = header.split(',').map((name) => name.trim());
  const places = COLUMNS.map((column) => names.indexOf(column));
  const missing = COLUMNS.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw new Error(`The FEBRL file lacks the columns ${missing.join(', ')}.`);
  return rows.map((row) => {
    const cells = row.split(',').map((cell) => cell.trim());
    return recordOf(places.map((place) => cells[place] ?? ''));
  });
}

function recordOf(cells: readonly string[]): FebrlRecord {
  const [id = '', given, family, number, line1, line2, city, postcode, state, birthDate, ssn] = cells;
  const [, person, duplicate] = /^rec-(\d+)-(?:org|dup-(\d+))$/.exec(id) ?? [];
  if (person === undefined) throw new Error('A rec_id of the FEBRL file has no number.');
  const demographics: Demographics = {
    family: family || null,
    formerFamilies: [],
    given: given || null,
    middle: null,
    suffix: null,
    birthDate: birthDate || null,
    sex: null,
    line1: [number, line1, line2].filter(Boolean).join(' ') || null,
    city: city || null,
    state: state || null,
    zip: postcode ? `0${postcode}` : null,
    phones: [],
    email: null,
    ssnLast4: ssn ? ssn.slice(-4) : null,
    medicareId: null,
    memberIds: [],
  };
  return { person, version: duplicate === undefined ? 0 : Number(duplicate) + 1, demographics };
}

/** Returns the record in the form that is compared, with or without the last four digits of the SSN. */
export const normalizeFebrl = ({ demographics }: FebrlRecord, withSsn4: boolean): NormalizedDemographics =>
  normalize(withSsn4 ? demographics : { ...demographics, ssnLast4: null });

/**
 * Splits a set in which one person may have many records. In the first round, the first record of each person is listed (the original)
 * and all others arrive; in the second round, the second record of those who have three or more is listed, and their later records
 * arrive; and so on. People who have fewer records remain listed with their first one. So every two records of one person meet once.
 */
export function roundsOf(records: readonly FebrlRecord[]): Round[] {
  const people = [...Map.groupBy(records, ({ person }) => person).values()].map((versions) =>
    versions.toSorted((a, b) => a.version - b.version),
  );
  const most = Math.max(0, ...people.map(({ length }) => length));
  return Array.from({ length: Math.max(most - 1, 0) }, (_, turn) => ({
    listed: people.flatMap((versions) => (versions.length > turn + 1 ? versions[turn] : versions[0]) ?? []),
    arriving: people.flatMap((versions) => versions.slice(turn + 1)),
  }));
}
