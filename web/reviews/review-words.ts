import { counted } from '#contract/counted.ts';
import {
  REVIEW_FIELDS,
  type Review,
  type ReviewCandidate,
  type ReviewField,
  type ReviewRecord,
} from '#contract/reviews.ts';
import { formatDate } from '../ui/format/date.ts';
import { familyFirst, groupedId } from '../ui/format/name.ts';

export const FIELD_WORDS: Record<ReviewField, string> = {
  family: 'Last name',
  given: 'First name',
  middle: 'Middle name',
  suffix: 'Suffix',
  birthDate: 'Birth date',
  sex: 'Sex',
  street: 'Street address',
  city: 'City, state',
  zip: 'ZIP code',
  phone: 'Phone',
  email: 'Email',
  ssnLast4: 'SSN, last four',
  medicareId: 'Medicare number (MBI)',
  memberId: 'Member ID',
};

/** Returns the fields that the record or a candidate has, or that were compared. That no birth date is known is always said. */
export const fieldsOf = ({ record, candidates }: Pick<Review, 'record' | 'candidates'>): ReviewField[] =>
  REVIEW_FIELDS.filter(
    (field) =>
      field === 'birthDate' ||
      record.values[field] !== null ||
      candidates.some(({ record: other, agreement }) => other?.values[field] || agreement[field] !== 'unknown'),
  );

/** Returns a value as it is shown; null if it is not recorded. */
export const shownValue = ({ values }: ReviewRecord, field: ReviewField): string | null => {
  const value = values[field];
  return value !== null && field === 'birthDate' && /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : value;
};

/** "LINDQVIST, Per · 11/02/1956". */
export const titleOf = (record: ReviewRecord): string => {
  const { family, given, middle, suffix } = record.values;
  const name =
    family === null && given === null
      ? 'Name not recorded'
      : familyFirst({ lastName: family ?? '', firstName: given ?? '', middleName: middle, nameSuffix: suffix });
  return `${name} · ${shownValue(record, 'birthDate') ?? 'Birth date not recorded'}`;
};

/** "Mercy General · record number 4711 · since 11/20/2026". */
export const sourceOf = ({ source, groupName, number, since }: ReviewRecord): string =>
  `${groupName} · ${source === 'FACILITY' ? 'record number' : 'member ID'} ${groupedId(number)} · since ${formatDate(since)}`;

/** Where a candidate's record comes from, and how many others there are. */
export const candidateSource = ({ record, otherRecords }: ReviewCandidate): string => {
  if (record === null) return 'Record at another organization. Only what agrees is shown.';
  if (otherRecords === 0) return sourceOf(record);
  return `${sourceOf(record)} · ${counted(otherRecords, 'other record')} of this person`;
};
