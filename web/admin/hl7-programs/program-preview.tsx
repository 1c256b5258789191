import { Anchor, Text } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import { DAY } from '#contract/durations.ts';
import type { ProgramPreview as Previewed, ProgramFields } from '#contract/hl7-programs.ts';
import { call } from '../../api/call.ts';
import { PART2_NOTICE } from '../../patient/part2-notice.ts';
import { Link } from '../../router/link.tsx';
import { patientPath } from '../../session/paths.ts';
import { useSession } from '../../session/session.ts';
import { formatDate } from '../../ui/format/date.ts';
import { checkedOf, Preview } from '../preview.tsx';
import classes from './hl7-programs.module.css';

const YEAR = 365 * DAY;

/** Says where the counts may be too low, because what they ask for was not known yet. */
export function knownSince(
  { firstDischargeAt, firstDrgAt, withDrg, inpatientDischarges }: Previewed,
  asksDrg: boolean,
  now: number,
): string[] {
  const said: string[] = [];
  if (firstDischargeAt !== null && now - Date.parse(firstDischargeAt) < YEAR)
    said.push(`The first known discharge was on ${formatDate(firstDischargeAt)}.`);
  if (!asksDrg) return said;
  if (firstDrgAt === null) return [...said, 'No known stay has a DRG, so no one can be enrolled by DRG yet.'];
  if (now - Date.parse(firstDrgAt) < YEAR)
    said.push(`DRGs are known since ${formatDate(firstDrgAt)}; discharges before that were not counted.`);
  const share = inpatientDischarges === 0 ? 0 : Math.round((withDrg / inpatientDischarges) * 100);
  return [...said, `${share}% of the year's inpatient discharges have a DRG.`];
}

const monthInWords = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  );

const Months = ({ months }: { months: Previewed['months'] }) => (
  <table className={classes.examples}>
    <caption>By month of discharge</caption>
    <thead>
      <tr>
        <th scope="col">Month</th>
        <th scope="col">Discharges</th>
      </tr>
    </thead>
    <tbody>
      {months.map(({ month, discharges }) => (
        <tr key={month}>
          <td>{monthInWords(month)}</td>
          <td>{discharges.toLocaleString('en-US')}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Examples = ({ examples }: { examples: Previewed['examples'] }) => {
  const { user } = useSession();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className={classes.scrolls} tabIndex={0} role="region" aria-label="Latest examples">
      <table className={classes.examples}>
        <caption>Latest examples</caption>
        <thead>
          <tr>
            <th scope="col">Patient</th>
            <th scope="col">Discharged</th>
            <th scope="col">Facility</th>
            <th scope="col">DRG</th>
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ patientId, name, dateOfBirth, facilityName, isPart2, dischargedOn, drg, validTo }) => (
            <tr key={patientId}>
              <td>
                <Anchor component={Link} to={patientPath(user, patientId)} target="_blank" size="sm">
                  {name}
                </Anchor>
                {/* Two people may have one name. */}
                <div className={classes.dim}>
                  {dateOfBirth ? `Born ${formatDate(dateOfBirth)}` : 'Birth date not recorded'}
                </div>
              </td>
              <td>{formatDate(dischargedOn)}</td>
              <td>
                {facilityName}
                {isPart2 && <div className={classes.dim}>{PART2_NOTICE}</div>}
              </td>
              <td>{drg ?? '—'}</td>
              <td>{formatDate(validTo)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** `at`: when it was asked, in epoch milliseconds. */
const Counts = ({ preview, asksDrg, at }: { preview: Previewed; asksDrg: boolean; at: number }) => {
  const { now, year, discharges, months, payers, examples } = preview;
  return (
    <>
      <Text size="sm" role="status" mt="xs">
        Today: {counted(now, 'patient')} in the program. Over the past year: {counted(year, 'patient')} enrolled by{' '}
        {counted(discharges, 'discharge')}. {checkedOf(preview)} {knownSince(preview, asksDrg, at).join(' ')}
      </Text>
      {payers.length > 0 && (
        <Text size="sm">
          Payers: {payers.map(({ payer, discharges: by }) => `${payer} (${by.toLocaleString('en-US')})`).join(', ')}.
        </Text>
      )}
      <Months months={months} />
      {examples.length > 0 && <Examples examples={examples} />}
    </>
  );
};

interface Props {
  /** Null while a field is invalid. */
  program: Omit<ProgramFields, 'hl7BasedProgramName'> | null;
  /** Shows what is wrong at the fields. */
  check: (within: HTMLFormElement | null) => void;
}

/** Which of the team's patients the definition would have enrolled, on request. */
export const ProgramPreview = ({ program, check }: Props) => {
  const { team } = useSession();
  return (
    <Preview
      body={program}
      load={(body) => call('POST /api/hl7-programs/preview', { body })}
      check={check}
      hint={`Shows which patients of ${team.name} these conditions would have enrolled. Nothing is saved.`}
      failure="Couldn't preview this program."
    >
      {(counts, at) => <Counts preview={counts} asksDrg={(program?.drgCodes.length ?? 0) > 0} at={at} />}
    </Preview>
  );
};
