/** What the uploader says about the columns of a file, before it is sent. */
import {
  FULL_NAME,
  missingColumns,
  ROSTER_OPTIONAL,
  type RosterTarget,
  targetLabel,
} from '#contract/roster-columns.ts';
import type { RosterMapping, RosterSample } from '#contract/rosters.ts';

type Header = RosterSample['headers'][number];

/** Chosen columns by the header's position in the file; null: it is not read. Others stay as the server reads them. */
export type ColumnChoices = ReadonlyMap<number, RosterTarget | null>;

/** Returns what each column of the file will be read as. */
export const readAs = (headers: readonly Header[], choices: ColumnChoices): (RosterTarget | null)[] =>
  headers.map(({ column }, at) => (choices.has(at) ? (choices.get(at) ?? null) : column));

const inOneList = new Intl.ListFormat('en-US');

/** Returns what prevents the upload, in words: required columns that are missing, and columns that were chosen twice. */
export const problemsOf = (headers: readonly Header[], choices: ColumnChoices): string[] => {
  const given = readAs(headers, choices);
  const missing = missingColumns(given).map(targetLabel);
  const twice = [...new Set(given.filter((one, at) => one !== null && given.indexOf(one) < at))] as RosterTarget[];
  return [
    ...(missing.length > 0
      ? [`Choose which ${missing.length === 1 ? 'column is' : 'columns are'} ${inOneList.format(missing)}.`]
      : []),
    ...twice.map((target) => `Two columns are read as ${targetLabel(target)}. Choose one of them.`),
  ];
};

/** Returns the columns that the file leaves out although people on the roster have a value there, with how many do. */
export const clearedColumns = ({ headers, listed }: RosterSample, choices: ColumnChoices): [string, number][] => {
  const given = readAs(headers, choices);
  return ROSTER_OPTIONAL.flatMap((column) => {
    const inName = column === 'middleName' || column === 'nameSuffix' ? given.includes(FULL_NAME.id) : false;
    const people = listed[column] ?? 0;
    return people > 0 && !inName && !given.includes(column) ? [[targetLabel(column), people]] : [];
  });
};

/** Returns what to keep for the group: the headers whose meaning the uploader has changed. */
export const mappingOf = (headers: readonly Header[], choices: ColumnChoices): RosterMapping =>
  [...choices].flatMap(([at, column]) => {
    const header = headers[at];
    return header && header.column !== column ? [{ header: header.header, column }] : [];
  });
