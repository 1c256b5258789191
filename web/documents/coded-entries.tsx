import { memo, type ReactNode, useMemo } from 'react';
import type { CodedEntry, EntryKind } from '#contract/clinical-documents.ts';
import { periodInWords } from '#contract/document-words.ts';
import { useGrowing } from '../ui/use-growing.ts';
import { COLUMNS, type Column, type EntryPart, exceptionIn } from './coded-columns.ts';
import { timeInWords } from './document-words.ts';
import classes from './documents.module.css';
import { Marked } from './marked.tsx';

const text = (value: string | null): ReactNode => (value === null ? null : <Marked text={value} />);

const Name = ({ entry: { name, code, missing, isNegated, panel } }: { entry: CodedEntry }) => (
  <>
    {isNegated ? <strong>{text(name)}</strong> : text(name)}
    {name === null && <span className={classes.dim}>{missing ?? 'Not recorded'}</span>}
    {code && !isNegated && name !== code.code && <span className={classes.dim}> {code.code}</span>}
    {panel && <div className={classes.dim}>{text(panel)}</div>}
  </>
);
const details = ({ details: all }: CodedEntry): ReactNode =>
  all.map(({ label, text: said }, at) => (
    // oxlint-disable-next-line react/no-array-index-key
    <div key={at}>
      <span className={classes.dim}>{label}</span> {text(said)}
    </div>
  ));
/** A payer or a purpose has no value that could be missing. */
const EXPECTS_VALUE: ReadonlySet<EntryKind> = new Set(['result', 'vital']);
const Value = ({ entry: { kind, value, missing, interpretation, name, isNegated } }: { entry: CodedEntry }) => (
  <>
    {value === null ? (
      <span className={classes.dim}>
        {name === null || isNegated ? '' : (missing ?? (EXPECTS_VALUE.has(kind) ? 'Not recorded' : ''))}
      </span>
    ) : (
      text(value)
    )}
    {interpretation && interpretation !== 'Normal' && <strong> {interpretation}</strong>}
  </>
);

const CELLS: Record<EntryPart, (entry: CodedEntry) => ReactNode> = {
  name: (entry) => <Name entry={entry} />,
  stated: (entry) => text(entry.value),
  value: (entry) => <Value entry={entry} />,
  status: (entry) => text(entry.status),
  exception: (entry) => text(exceptionIn(entry)),
  when: (entry) => entry.when && periodInWords(entry.when, timeInWords),
  referenceRange: (entry) => text(entry.referenceRange),
  details,
};

/** Whether a cell says anything. */
const says = (cell: ReactNode): boolean =>
  !(cell === null || cell === '' || (Array.isArray(cell) && cell.length === 0));

/** Returns the columns in which some entry says something. */
const columnsOf = (kind: EntryKind, entries: readonly CodedEntry[]): Column[] =>
  COLUMNS[kind].filter(([, part]) => entries.some((entry) => says(CELLS[part](entry))));

const Row = memo(({ entry, columns }: { entry: CodedEntry; columns: readonly Column[] }) => (
  <tr>
    {columns.map(([head, part]) => (
      <td key={head} data-label={head}>
        <div>{CELLS[part](entry)}</div>
      </td>
    ))}
  </tr>
));

/** Rows that are shown at once, and with each step after that. */
const FIRST_ROWS = 40;
const MORE_ROWS = 160;

const CodedTable = ({
  kind,
  entries,
  section,
}: {
  kind: EntryKind;
  entries: readonly CodedEntry[];
  section: string;
}) => {
  const columns = useMemo(() => columnsOf(kind, entries), [kind, entries]);
  const ready = useGrowing(entries.length, FIRST_ROWS, MORE_ROWS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`${section}, coded`}>
      <table className={classes.coded}>
        <thead>
          <tr>
            {columns.map(([head]) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, ready).map((entry, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Row key={at} entry={entry} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** What a section's author coded, as a table for each kind of statement. */
export const CodedEntries = memo(({ entries, section }: { entries: readonly CodedEntry[]; section: string }) =>
  [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, own]) => (
    <CodedTable key={kind} kind={kind} entries={own} section={section} />
  )),
);
