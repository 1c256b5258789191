import { foldAccents } from '#server/platform/text/fold-accents.ts';

/** The most common suffixes and directions, abbreviated as in USPS Publication 28, appendices B and C1. */
const ABBREVIATIONS: Record<string, string> = Object.fromEntries(
  `STREET ST|STR ST|AVENUE AVE|AV AVE|BOULEVARD BLVD|ROAD RD|DRIVE DR|LANE LN|COURT CT|CIRCLE CIR|PLACE PL|TERRACE TER|
  PARKWAY PKWY|HIGHWAY HWY|SQUARE SQ|TRAIL TRL|TURNPIKE TPKE|EXPRESSWAY EXPY|CRESCENT CRES|COVE CV|CROSSING XING|
  HEIGHTS HTS|HILL HL|HILLS HLS|ALLEY ALY|BRIDGE BRG|CENTER CTR|CENTRE CTR|CREEK CRK|ESTATES ESTS|FORT FT|FREEWAY FWY|
  GARDENS GDNS|GLEN GLN|GROVE GRV|HARBOR HBR|HOLLOW HOLW|ISLAND IS|JUNCTION JCT|KNOLL KNL|LAKE LK|LANDING LNDG|
  MANOR MNR|MEADOWS MDWS|MOUNT MT|MOUNTAIN MTN|ORCHARD ORCH|PLAZA PLZ|POINT PT|RIDGE RDG|RIVER RIV|SAINT ST|SHORE SHR|
  SPRING SPG|SPRINGS SPGS|STATION STA|SUMMIT SMT|VALLEY VLY|VIEW VW|VILLAGE VLG|VISTA VIS|NORTH N|SOUTH S|EAST E|WEST W|
  NORTHEAST NE|NORTHWEST NW|SOUTHEAST SE|SOUTHWEST SW|FIRST 1ST|SECOND 2ND|THIRD 3RD|FOURTH 4TH|FIFTH 5TH|SIXTH 6TH|
  SEVENTH 7TH|EIGHTH 8TH|NINTH 9TH|TENTH 10TH`
    .split('|')
    .map((pair) => pair.trim().split(' ')),
);
const LONG_FORMS = new Map(Object.entries(ABBREVIATIONS).map(([word, abbreviation]) => [abbreviation, word]));
const UNIT_MARKS = new Set(
  '# APT APARTMENT UNIT STE SUITE RM ROOM LOT FL FLOOR BLDG BUILDING SPC SPACE TRLR'.split(' '),
);

/** What the comparison leaves out, because it is left out, added or abbreviated by mistake most: directions and kinds of streets. */
const COMMON_WORDS = new Set(
  `ST AVE BLVD RD DR LN CT CIR PL TER PKWY HWY SQ TRL TPKE CRES XING ALY N S E W NE NW SE SW`.split(/\s+/),
);

/** What is written for an address by or for people who have none. */
const NO_ADDRESS =
  /^(UNKNOWN|UNK|NONE|NA|HOMELESS|TRANSIENT|UNDOMICILED|GENERAL DELIVERY|NO (FIXED )?(ADDRESS|ABODE)|SHELTER|STREETS?)\b/;

export interface NormalizedStreet {
  /** The whole line without the unit, '784 N STAMM ST'. */
  line: string;
  /** The same; null without a number, because too many people share a bare street name. */
  street: string | null;
  /** The first number, '784'. */
  houseNumber: string | null;
  /** The other words as they were written, as one: 'STAMMLOCKSTREET'. */
  words: string;
  /** The other words without directions and kinds of streets, as one: 'STAMMLOCK'. */
  name: string;
  /** Apartment, suite or room number without its designator, '46'. */
  unit: string | null;
}

/** Standardizes a delivery line (line 1, or lines 1 and 2 joined by a space). Returns null if it is empty or no address. */
export function normalizeStreet(written: string | null): NormalizedStreet | null {
  const text = foldAccents(written ?? '')
    .replace(/['’.]/g, '')
    .replace(/#/g, ' # ')
    .replace(/[^A-Z0-9#]+/g, ' ')
    .trim()
    .replace(/\b(POST OFFICE|P O|PO) BOX\b/, 'PO BOX');
  const tokens = text === '' ? [] : text.split(' ');
  const at = tokens.findIndex((token, index) => UNIT_MARKS.has(token) && (index > 0 || /\d/.test(tokens[1] ?? '')));
  // A unit in front is a single token ('APT 4 12 ELM ST'); a unit at the end is everything after its designator.
  const streetTokens =
    at === 0 ? tokens.slice(2).filter((token) => !UNIT_MARKS.has(token)) : tokens.slice(0, at > 0 ? at : undefined);
  const unitTokens = at === 0 ? tokens.slice(1, 2) : at > 0 ? tokens.slice(at + 1) : [];
  while (unitTokens.length > 1 && UNIT_MARKS.has(unitTokens[0] ?? '')) unitTokens.shift();
  const abbreviated = streetTokens.map((token) => ABBREVIATIONS[token] ?? token);
  const line = abbreviated.join(' ');
  if (line === '' || NO_ADDRESS.test(line)) return null;
  const numberAt = streetTokens.findIndex((token) => /^\d+[A-Z]?$/.test(token));
  const rest = abbreviated.filter((_, index) => index !== numberAt);
  const name = rest.filter((token) => !COMMON_WORDS.has(token)).join('');
  return {
    line,
    street: /\d/.test(line) ? line : null,
    houseNumber: streetTokens[numberAt] ?? null,
    words: rest.map((token) => LONG_FORMS.get(token) ?? token).join(''),
    name: name || rest.join(''),
    unit: unitTokens.join('') || null,
  };
}
