/** Refuses files that are something else than a list of text, by their first bytes, and says how to get one. */
import { RosterFileError } from './file-error.ts';

const TO_CSV = 'save it as CSV UTF-8 (File, Save As), then upload that file.';
const ZIP = 'PK\x03\x04';
const NOT_CSV = 'This file is not a CSV file. Export the list as CSV, then upload that file.';

/** Each kind: whether the beginning of a file, in Latin-1, is of it, and what to do then. */
const KINDS: readonly (readonly [isOf: (start: string) => boolean, reason: string])[] = [
  [
    (start) => start.startsWith(ZIP) && (start.includes('[Content_Types]') || start.includes('xl/')),
    `This is an Excel workbook. Open it in Excel and ${TO_CSV}`,
  ],
  [(start) => start.startsWith(ZIP), 'This is a ZIP archive. Unpack it, then upload the CSV file in it.'],
  [
    (start) => start.startsWith('\xd0\xcf\x11\xe0'),
    `This is an Excel workbook in the older format, or one with a password. Open it in Excel and ${TO_CSV}`,
  ],
  [
    (start) => start.startsWith('%PDF'),
    'This is a PDF. Export the list as a CSV file from the system it comes from, then upload that file.',
  ],
  [(start) => start.startsWith('\x1f\x8b'), 'This file is compressed. Unpack it, then upload the CSV file in it.'],
  [(start) => start.startsWith('PAR1') || start.startsWith('{\\rtf'), NOT_CSV],
  [
    (start) => start.startsWith('{') || /^\[\s*\{/.test(start),
    'This is a JSON file. Export the list as a CSV file with a header row, then upload that file.',
  ],
  [
    (start) => start.startsWith('<'),
    'This is a web page or an XML file. Export the list as a CSV file with a header row, then upload that file.',
  ],
  [
    (start) => /^(MSH|FHS|BHS)\|/.test(start),
    'These are HL7 messages. A roster is a CSV file with a header row. See the template.',
  ],
  [
    (start) => /^ISA[*|]/.test(start),
    'This is an X12 file, such as an 834 enrollment. A roster is a CSV file with a header row. See the template.',
  ],
];

/** Throws RosterFileError if the file begins like another kind of file. */
export function refuseOtherKinds(bytes: Buffer): void {
  const start = bytes.subarray(0, 4096).toString('latin1').replace('\xef\xbb\xbf', '').trimStart();
  const kind = KINDS.find(([isOf]) => isOf(start));
  if (kind) throw new RosterFileError(kind[1]);
}
