import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ClinicalDocument, DocumentHeader } from '#contract/clinical-documents.ts';
import { subjectCaution, subjectInWords, uploadedInWords } from '#contract/document-words.ts';
import type { CcdSummary } from '#contract/documents.ts';
import type { Patient } from '#contract/patients.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { useSession } from '../session/session.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconDownload } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { useGrowing } from '../ui/use-growing.ts';
import { usePrinting } from '../ui/use-printing.ts';
import { fileUrl } from './document-queries.ts';
import { KINDS, sizeInWords, timeInWords, typeInWords, visitInWords, writtenInWords } from './document-words.ts';
import classes from './documents.module.css';
import { SearchTerm } from './marked.tsx';
import { MedicationChanges } from './medication-changes.tsx';
import { inReadingOrder, lackingSections, matchesIn } from './outline.ts';
import { anchorOf, Section } from './section.tsx';

const LEAST_TERM = 2;
/** Shown at once; a large document follows in steps. */
const FIRST_SECTIONS = 3;

/** The outline of the sections, beside or above them; with a search, how often each has the term. */
const Outline = ({
  sections,
  term,
}: {
  sections: readonly { number: number; title: string; level: number; matches: number }[];
  term: string;
}) => (
  <nav aria-label="Sections" className={classes.outline} data-no-print>
    <ol>
      {sections.map((section) => (
        <li key={section.number} data-level={Math.min(section.level, 3)}>
          <a href={`#${anchorOf(section)}`}>{section.title}</a>
          {term !== '' && <span className={classes.dim}> {section.matches}</span>}
        </li>
      ))}
    </ol>
  </nav>
);

const sectionsInWords = (sections: number): string => (sections === 1 ? '1 section' : `${sections} sections`);

/** Returns what a search found, and that it hides what it didn't: a section that isn't seen may be taken for one that isn't there. */
const matchesInWords = (matches: number, sections: number, hidden: number): string =>
  matches === 0
    ? 'No matches. Try fewer letters.'
    : `${matches === 1 ? '1 match' : `${matches} matches`} in ${sectionsInWords(sections)}${
        hidden === 0 ? '' : `. ${sectionsInWords(hidden)} without a match hidden.`
      }`;

/** The sections of a clinical document, with outline and search. A print-out is the whole document, whatever is searched for. */
const Sections = ({ document, changes }: { document: ClinicalDocument; changes: CcdSummary['medicationChanges'] }) => {
  const [typed, type] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const printing = usePrinting();
  const term = printing || wanted.length < LEAST_TERM ? '' : wanted;
  const sections = useMemo(() => inReadingOrder(document.sections), [document]);
  const counted = useMemo(
    () => sections.map((section) => ({ section, matches: matchesIn(section, term) })),
    [sections, term],
  );
  const found = counted.filter(({ matches }) => matches > 0);
  const shown = term === '' ? counted : found;
  const lacking = lackingSections(document);
  const { writtenAt } = document.header;
  const asOf = writtenAt ? timeInWords(writtenAt) : 'a date that is not recorded';
  const ready = useGrowing(shown.length, FIRST_SECTIONS, 2);
  if (sections.length === 0) return <Text c="dimmed">This document has no sections.</Text>;
  return (
    <SearchTerm value={term}>
      <div className={classes.search} data-no-print>
        <TextInput
          type="search"
          label="Search this document"
          placeholder="Medication, result, word"
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <Text size="sm" role="status">
          {term === ''
            ? ''
            : matchesInWords(
                found.reduce((sum, { matches }) => sum + matches, 0),
                found.length,
                counted.length - found.length,
              )}
        </Text>
      </div>
      <div className={classes.columns}>
        <Outline term={term} sections={shown.map(({ section, matches }) => ({ ...section, matches }))} />
        <div className={classes.main}>
          {term === '' && lacking.length > 0 && (
            <Notice role="note" color="gray">
              Not in this document: {lacking.join(', ')}. That doesn't mean there are none.
            </Notice>
          )}
          {term === '' && changes && <MedicationChanges changes={changes} />}
          {shown.map(({ section }, at) => (
            <Section key={section.number} section={section} asOf={asOf} isReady={at < ready} />
          ))}
        </div>
      </div>
    </SearchTerm>
  );
};

/** A caution if the document says that it is about someone else. */
const SubjectCaution = ({ subject, patient }: { subject: DocumentHeader['patient']; patient: Patient }) => {
  const caution = subjectCaution(subject, patient);
  return (
    caution !== null && (
      <Notice role="note" color="caution">
        {caution}
      </Notice>
    )
  );
};

/** Why a document is shown as its text, or not at all. */
const Problem = ({ problem, isShown }: { problem: string; isShown: boolean }) => (
  <Notice
    role="note"
    color="caution"
    title={
      isShown
        ? "This document can't be read as a clinical document, so its text is shown as it was sent."
        : "This document can't be shown here."
    }
  >
    {problem}
  </Notice>
);

/** What a document is, where it is from, and how it reads. */
export const DocumentReader = ({ patient, summary }: { patient: Patient; summary: CcdSummary }) => {
  const { team } = useSession();
  const { entry, document, text, file, medicationChanges } = summary;
  const of = { id: patient.id, teamId: team.id };
  const subject = document?.header.patient;
  const isPicture = file?.mediaType.startsWith('image/') === true && file.mediaType !== 'image/tiff';
  const missingFile = document?.body?.size === 0 ? document.body.name : null;
  return (
    <article className={classes.document} aria-label={entry.title}>
      <h2>{entry.title}</h2>
      {subject && <SubjectCaution subject={subject} patient={patient} />}
      <Facts
        facts={[
          ...(subject ? [['About', subjectInWords(subject)] satisfies Fact] : []),
          ['From', entry.encounterFacilityName],
          ...(entry.uploadedBy === null ? [] : [['Origin', uploadedInWords(entry)] satisfies Fact]),
          ['Type', typeInWords(entry)],
          [
            'Author',
            document?.header.authors.flatMap(({ name, organization }) => name ?? organization ?? []).join(', ') ||
              entry.author,
          ],
          ['Custodian', document?.header.custodian ?? null],
          ['Written', writtenInWords(entry)],
          ['Received', formatDateTime(entry.receivedAt)],
          ['Visit', visitInWords(entry) ?? 'Belongs to no known visit'],
          ['As sent', `${KINDS[entry.kind]}, ${sizeInWords(entry.size)}`],
        ]}
      />
      {entry.isRestricted && (
        <Notice role="note" color="caution">
          {PART2_NOTICE}
        </Notice>
      )}
      {entry.problem !== null && <Problem problem={entry.problem} isShown={text !== null} />}
      <div className={classes.actions} data-no-print>
        {file && (
          <Button
            component="a"
            href={fileUrl(of, entry.uuid)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download {file.mediaType === 'application/pdf' ? 'PDF' : 'file'} ({sizeInWords(file.size)})
          </Button>
        )}
        <Anchor href={fileUrl(of, entry.uuid, { original: 'true' })} download size="sm">
          Download as sent
        </Anchor>
      </div>
      {missingFile !== null && (
        <Text>The document refers to a file that it doesn't contain: {missingFile}. Ask the facility for it.</Text>
      )}
      {file && !isPicture && text === null && <Text c="dimmed">This document is a file. Download it to read it.</Text>}
      {isPicture && (
        <img
          className={classes.picture}
          src={fileUrl(of, entry.uuid, { view: 'true' })}
          alt={`Scanned page: ${entry.title}`}
        />
      )}
      {text !== null && <pre className={classes.text}>{text}</pre>}
      {document && document.body === null && <Sections document={document} changes={medicationChanges} />}
      <Text size="xs" c="dimmed" className={classes.printed}>
        Contains protected health information. {entry.encounterFacilityName}, {entry.title}, {writtenInWords(entry)}.
      </Text>
    </article>
  );
};
