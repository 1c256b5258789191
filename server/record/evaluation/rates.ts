/**
 * How the invented worlds are made. Shares are between 0 and 1. A comment names the source; where it says "assumed", we found no
 * published figure and chose one that a hospital's registration would recognize.
 *
 * [Culbertson] Culbertson and others, "The building blocks of interoperability", Appl Clin Inform 2017, doi 10.4338/ACI-2016-11-RA-0196:
 *   how often nine US health systems have each attribute.
 * [Just] Just and others, "Why patient matching is a challenge", Perspect Health Inf Manag 2016, PMC4832129: where 398,939 confirmed
 *   duplicates differ. Among pairs that differ, not among all records, so only the order of the causes is taken from it.
 * [Grannis] Grannis and others, J Am Med Inform Assoc 2019, PMC7787357: unstandardized addresses and last names cost a tenth of the matches.
 * [Pew] Pew Research Center, September 7, 2023: 79 % of wives took the husband's name, 14 % kept theirs, 5 % hyphenated.
 * [NCHS] National Center for Health Statistics: 33.9 of 1,000 births were twins in 2014.
 * [Census] Current Population Survey: 8.4 % of people moved in the year to March 2021, 11.6 % in 2010–2011.
 * [Adelman] Adelman and others, Pediatrics 2015;136:327: more than 80 % of neonatal units use Babyboy and Babygirl.
 */

/** Who lives with whom. */
export const FAMILY_RATES = {
  /** [NCHS] 33.9 of 1,000 births, so half as many deliveries. */
  twinDelivery: 0.017,
  /** Twins of one sex: all identical ones and half of the others. */
  twinsOfOneSex: 0.65,
  /** Assumed, as parents name twins: one letter apart (Jaylen and Jaylan), one initial (Madison and Morgan), one first name with another second one. */
  twinNames: { oneLetterApart: 0.1, sameInitial: 0.3, sameGivenOtherSecond: 0.02 },
  /** Assumed: a first son has the father's name, a first daughter the mother's. */
  sonOfSameName: 0.05,
  daughterOfSameName: 0.005,
  /** [Pew] */
  wifeTakesName: 0.79,
  wifeHyphenates: 0.05,
  /** Assumed: married or divorced in the last years, so that some records have the former name. */
  nameIsRecent: 0.08,
  /** [Census] About two years of moves lie between a roster and a visit. */
  movedRecently: 0.18,
  /** Assumed: a household has a phone that all give. Otherwise each adult has one, and children give a parent's. */
  sharedPhone: 0.3,
  /** Assumed: a mover has another phone number than before. */
  newPhone: 0.2,
  adultHasEmail: 0.75,
  spousesShareEmail: 0.08,
  childHasParentsEmail: 0.4,
  /** Newborn units are full of people that few rosters have: a share of families with young parents, assumed. */
  newborn: 0.03,
  /** Assumed: numbers of twins that were applied for together follow each other. */
  twinsWithNextSsn: 0.3,
  /** Assumed: all of the household are on one policy with one member number. */
  sharedMemberId: 0.5,
  isInsured: 0.8,
} as const;

/** How a record comes from a person: fields that are missing, and fields that are wrong. */
export interface RecordRates {
  // Missing fields.
  noBirthDate: number;
  noSex: number;
  noStreet: number;
  noZip: number;
  noCity: number;
  noPhone: number;
  noEmail: number;
  noSsn4: number;
  noMedicareId: number;
  noMemberId: number;
  noMiddle: number;
  noSuffix: number;
  // Names.
  middleInitial: number;
  nickname: number;
  givenTypo: number;
  familyTypo: number;
  secondTypo: number;
  initialOnly: number;
  namesSwapped: number;
  middleAsGiven: number;
  respelled: number;
  partOfDoubleName: number;
  formerName: number;
  maidenNameSent: number;
  // Other fields.
  dayMonthSwapped: number;
  birthDigitOff: number;
  wrongSex: number;
  formerHome: number;
  noUnit: number;
  streetTypo: number;
  wrongZip: number;
  phoneDigitOff: number;
  ssn4DigitOff: number;
  officePhone: number;
  filler: number;
}

/** Shares that both kinds of records have. */
const COMMON = {
  /** The product requires it at most of all; [Culbertson] has 1.2 %, but visits without a birth date are about one in a thousand. */
  noBirthDate: 0.001,
  /** [Culbertson] available 99.73 %. */
  noSex: 0.0027,
  /** [Culbertson] full street 94.65 %, postal code 94.71 %. */
  noStreet: 0.0535,
  noZip: 0.05,
  noCity: 0.05,
  /** [Just] The middle name differs most often of all. */
  noMiddle: 0.45,
  middleInitial: 0.5,
  noSuffix: 0.4,
  /** [Just] Misspelling is the first cause in both names, then swapped names. The levels are assumed. */
  givenTypo: 0.012,
  familyTypo: 0.012,
  secondTypo: 0.1,
  namesSwapped: 0.002,
  middleAsGiven: 0.004,
  /** Assumed: Mohamed and Mohammed on two documents of one person. */
  respelled: 0.05,
  /** Assumed: registration systems cut double surnames in one of three records. */
  partOfDoubleName: 0.33,
  /** Assumed: one in 200 records. */
  dayMonthSwapped: 0.001,
  birthDigitOff: 0.004,
  wrongSex: 0.002,
  /** [Grannis] Addresses vary most of all fields. */
  noUnit: 0.2,
  streetTypo: 0.02,
  wrongZip: 0.01,
  phoneDigitOff: 0.006,
  /** [Just] The second most frequent difference. */
  ssn4DigitOff: 0.01,
} as const;

/** A payer's or a clinic's roster: long names as on the insurance card, little contact data, some old addresses. */
export const ROSTER_RATES: RecordRates = {
  ...COMMON,
  noPhone: 0.2,
  noEmail: 0.6,
  /** [Culbertson] SSN available 50.44 % in 2014. */
  noSsn4: 0.5,
  noMedicareId: 0.3,
  noMemberId: 0.4,
  nickname: 0.02,
  initialOnly: 0.003,
  formerName: 0.5,
  maidenNameSent: 0,
  formerHome: 0.6,
  officePhone: 0.002,
  filler: 0.002,
};

/** A hospital's registration: what the patient or a relative says at the desk, often in a hurry. */
export const HOSPITAL_RATES: RecordRates = {
  ...COMMON,
  noPhone: 0.08,
  /** [Culbertson] Email available 54 % in 2014. */
  noEmail: 0.46,
  noSsn4: 0.5,
  noMedicareId: 0.5,
  noMemberId: 0.5,
  nickname: 0.05,
  initialOnly: 0.002,
  formerName: 0.1,
  /** Assumed: the maiden name is in the record as well. */
  maidenNameSent: 0.1,
  formerHome: 0.1,
  /** Assumed: the number of a clinic, shelter or nursing home in place of the patient's. */
  officePhone: 0.01,
  filler: 0.01,
};

/** Only in hospitals. */
export const EMERGENCY_RATES = {
  /** Assumed: one visit in 1,500 begins under a trauma name or as John Doe. */
  traumaName: 0.0007,
  /** Assumed: few rosters come from a hospital's list while such a name is in use. */
  traumaNameListed: 0.0005,
  /** [Adelman] */
  unnamedNewborn: 0.8,
} as const;
