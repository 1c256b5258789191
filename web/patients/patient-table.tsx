import { Table } from '@mantine/core';
import { Fragment, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import type { Patient } from '#contract/patients.ts';
import { PrintNoticeRow } from '../lists/print/print-head.tsx';
import { IdentityBadges } from '../patient/identity-badges.tsx';
import { IdentityFacts } from '../patient/identity-facts.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { useNavigate } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { useCommands } from '../ui/commands.ts';
import { onForget } from '../ui/forget.ts';
import { familyFirst, spokenName } from '../ui/format/name.ts';
import { useWidth } from '../ui/use-width.ts';
import type { Column } from './columns.tsx';
import classes from './patients.module.css';

interface Props {
  label: string;
  patients: readonly Patient[];
  columns: readonly Column[];
  /** The labels of chosen columns that have no value in any row, and so are left out. */
  empty: readonly string[];
  dense: boolean;
  /** Ids of patients who could be mistaken for another one. */
  similar: ReadonlySet<string>;
  now: Date;
  /** Returns the heading that a row belongs under; undefined where rows are not grouped. */
  groupOf: ((patient: Patient) => string) | undefined;
  /** Returns the page that a row opens. */
  hrefOf: (patient: Patient) => string;
}

/** Returns the rows under their headings, in the order of the list; one section without a heading where they are not grouped. */
const sectionsOf = ({ patients, groupOf }: Pick<Props, 'patients' | 'groupOf'>) =>
  groupOf ? [...Map.groupBy(patients, groupOf)] : ([[null, patients]] as const);

/** The list has other pages, so the count says that it covers only this one. */
const onThisPage = (rows: readonly Patient[]) => <span className={classes.count}>{rows.length} on this page</span>;

const NOT_RECORDED = <span className={classes.dim}>Not recorded</span>;

/** The row that was last opened, so that the way back focuses it. Ids only, in memory. */
let lastOpened: { list: string; id: string } | null = null;
onForget(() => {
  lastOpened = null;
});
const here = (): string => location.pathname + location.search;

/** Moves the focus through the names of the rows with J and K or the arrow keys, and restores it on the way back to the list. */
const useRowFocus = () => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const from = lastOpened?.list === here() ? lastOpened.id : null;
    lastOpened = null;
    const link = from && box.current?.querySelector<HTMLElement>(`[data-patient="${from}"]`);
    if (!link) return;
    link.focus();
    link.scrollIntoView({ block: 'nearest' });
  }, []);
  const move = (by: number): void => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>('[data-patient]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = links[at < 0 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useCommands({ 'list.next': () => move(1), 'list.previous': () => move(-1) });
  const arrows = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !(event.target as HTMLElement).dataset['patient']) return;
    event.preventDefault();
    move(by);
  };
  return { box, arrows };
};

const rememberOpened = (id: string): void => {
  lastOpened = { list: here(), id };
};

const Name = ({ patient, href }: { patient: Patient; href: string }) => (
  <Link
    to={href}
    onClick={() => rememberOpened(patient.id)}
    data-patient={patient.id}
    className={classes.name}
    aria-label={spokenName(patient)}
  >
    {familyFirst(patient)}
  </Link>
);

interface RowProps extends Pick<Props, 'columns' | 'similar' | 'now' | 'hrefOf'> {
  patient: Patient;
}

/** The patient's identity. */
const Identity = ({ patient, similar, now, hrefOf }: RowProps) => (
  <>
    <Name patient={patient} href={hrefOf(patient)} />{' '}
    <IdentityBadges patient={patient} similar={similar.has(patient.id)} />
    <div>
      <IdentityFacts patient={patient} now={now} />
    </div>
    {showsPart2(patient) && <div className={classes.dim}>{PART2_NOTICE}</div>}
  </>
);

const Card = (props: RowProps) => (
  <li className={classes.card}>
    <div className={classes.who}>
      <Identity {...props} />
    </div>
    <dl className={classes.cardFacts}>
      {props.columns.map(({ label, cell }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{cell(props.patient, props.now) ?? NOT_RECORDED}</dd>
        </div>
      ))}
    </dl>
  </li>
);

const Row = ({ open, ...props }: RowProps & { open: (event: MouseEvent, patient: Patient) => void }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the name, which is a link
  <Table.Tr className={classes.row} onClick={(event) => open(event, props.patient)}>
    <Table.Th scope="row" className={classes.who}>
      <Identity {...props} />
    </Table.Th>
    {props.columns.map(({ label, number, cell }) => (
      <Table.Td key={label} data-number={number}>
        {cell(props.patient, props.now) ?? NOT_RECORDED}
      </Table.Td>
    ))}
  </Table.Tr>
);

const EmptyColumns = ({ labels }: { labels: readonly string[] }) =>
  labels.length > 0 && (
    <p className={classes.emptyColumns}>Not recorded for anyone on this page: {labels.join(', ')}.</p>
  );

/** Patients as rows of a table, or as a list on a phone. A row opens its patient; the identity is always shown. */
export const PatientTable = ({ label, patients, groupOf, empty, dense, ...row }: Props) => {
  const { columns, hrefOf } = row;
  const navigate = useNavigate();
  const narrow = useWidth() === 'narrow';
  const { box, arrows } = useRowFocus();
  const open = (event: MouseEvent, patient: Patient): void => {
    const selected = window.getSelection()?.toString();
    if (selected || (event.target as HTMLElement).closest('a, button')) return;
    rememberOpened(patient.id);
    void navigate({ to: hrefOf(patient) });
  };
  const sections = sectionsOf({ patients, groupOf });
  if (narrow)
    return (
      <div ref={box}>
        {sections.map(([name, rows]) => (
          <Fragment key={name}>
            {name !== null && (
              <h2 className={classes.group}>
                {name} {onThisPage(rows)}
              </h2>
            )}
            <ul
              // Safari drops the role of lists without markers.
              // oxlint-disable-next-line jsx-a11y/no-redundant-roles
              role="list"
              aria-label={name ?? label}
              className={classes.cards}
              onKeyDown={arrows}
            >
              {rows.map((patient) => (
                <Card key={patient.id} patient={patient} {...row} />
              ))}
            </ul>
          </Fragment>
        ))}
        <EmptyColumns labels={empty} />
      </div>
    );
  return (
    <div ref={box} className={classes.tableBox} data-dense={dense || undefined}>
      <Table aria-label={label} className={classes.table} highlightOnHover stickyHeader={false} onKeyDown={arrows}>
        <Table.Thead>
          <PrintNoticeRow columns={columns.length + 1} />
          <Table.Tr>
            <Table.Th scope="col">Patient</Table.Th>
            {columns.map(({ label: name, number }) => (
              <Table.Th key={name} scope="col" data-number={number}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {sections.map(([name, rows]) => (
          <Table.Tbody key={name}>
            {name !== null && (
              <Table.Tr className={classes.group}>
                <Table.Th scope="rowgroup" colSpan={columns.length + 1}>
                  {name} {onThisPage(rows)}
                </Table.Th>
              </Table.Tr>
            )}
            {rows.map((patient) => (
              <Row key={patient.id} patient={patient} open={open} {...row} />
            ))}
          </Table.Tbody>
        ))}
      </Table>
      <EmptyColumns labels={empty} />
    </div>
  );
};
