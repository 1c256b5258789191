import { Alert, Checkbox, NativeSelect, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Encounter } from '#contract/patients.ts';
import type { WaiverRule, WaiverStatus } from '#contract/waiver-conditions.ts';
import type { Eligibility, ThreeDayWaiver, WaiverChange } from '#contract/waivers.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { useSession } from '../session/session.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { ErrorModal } from './error-modal.tsx';
import classes from './manual.module.css';

const WAIVER_LABELS: Readonly<Record<WaiverStatus, string>> = {
  NA: 'Not applicable',
  PENDING: 'Pending',
  APPROVED: 'Approved',
  NOT_APPROVED: 'Not approved',
};

const RULE_LABELS: Readonly<Record<WaiverRule, string>> = {
  MSSP: 'ACO in the Shared Savings Program (42 CFR 425.612)',
  TEAM: 'TEAM episode (42 CFR 512.580)',
};

const ANSWERS: Readonly<Record<Eligibility['answer'], string>> = {
  eligible: 'Eligible',
  'not eligible': 'Not eligible',
  unknown: 'Unknown',
};

type Condition = Eligibility['conditions'][number];
type Confirmed = ThreeDayWaiver['confirmed'];

interface Values {
  status: string;
  confirmed: Confirmed;
}

/** Where a stay is, as its calls name it. */
interface Stay {
  id: string;
  encounterId: string;
}

const waiverQuery = (params: Stay, rule: WaiverRule | null) =>
  queryOptions({
    queryKey: ['three-day-waiver', params.encounterId, params.id, rule],
    queryFn: () =>
      call('GET /api/patients/:id/encounters/:encounterId/three-day-waiver', {
        params: { ...params },
        query: rule ? { rule } : {},
      }),
    staleTime: 0,
  });

/** Returns the answer with the conditions that are ticked now. */
const answerOf = (conditions: readonly Condition[], confirmed: Confirmed): Eligibility['answer'] => {
  if (conditions.some(({ answer }) => answer === 'unmet')) return 'not eligible';
  const isOpen = ({ answer, canBeConfirmed, code }: Condition) =>
    canBeConfirmed ? !(confirmed as string[]).includes(code) : answer === 'unknown';
  return conditions.some(isOpen) ? 'unknown' : 'eligible';
};

const ANSWER_WORDS = { met: 'Met', unmet: 'Not met', unknown: 'Unknown' } as const;

const Conditions = ({ check, form, canEdit }: { check: Eligibility; form: Form<Values>; canEdit: boolean }) => {
  const { confirmed } = form.values;
  const toggle = (code: Condition['code'], on: boolean): void => {
    const rest = confirmed.filter((each) => each !== code);
    form.change({ confirmed: (on ? [...rest, code] : rest) as Confirmed });
  };
  const answer = answerOf(check.conditions, confirmed);
  return (
    <section aria-label="Eligibility">
      <h3 className={classes.heading}>Eligibility: {ANSWERS[answer]}</h3>
      <Text size="sm" c="dimmed">
        {answer === 'eligible'
          ? 'Every condition is met or confirmed. An ACO or hospital decides.'
          : answer === 'unknown'
            ? 'Check each open condition and tick it once you know it is met.'
            : 'At least one condition is not met.'}
      </Text>
      <ul className={classes.conditions}>
        {check.conditions.map(({ code, text, basis, answer: known, canBeConfirmed }) => (
          <li key={code}>
            {canBeConfirmed ? (
              <Checkbox
                label={text}
                description={basis}
                disabled={!canEdit}
                checked={(confirmed as string[]).includes(code)}
                onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
              />
            ) : (
              <>
                <strong>{ANSWER_WORDS[known]}</strong> · {text}
                {basis && <div className={classes.dim}>{basis}</div>}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

const History = ({ history }: Pick<ThreeDayWaiver, 'history'>): ReactNode =>
  history.length > 0 && (
    <section aria-label="History">
      <h3 className={classes.heading}>History</h3>
      <ol className={classes.conditions}>
        {history.map(({ status, username, date }) => (
          <li key={`${date} ${status} ${username}`}>
            {WAIVER_LABELS[status]} · {username} · <time dateTime={date}>{formatDateTime(date)}</time>
          </li>
        ))}
      </ol>
    </section>
  );

interface Props {
  params: Stay;
  saved: (message: string) => void;
  close: () => void;
}

const WaiverForm = ({ params, saved, close, waiver }: Props & { waiver: ThreeDayWaiver }) => {
  const canEdit = useSession().can('canUpdateThreeDayWaiver');
  const client = useQueryClient();
  const [rule, chooseRule] = useState<WaiverRule>(waiver.rule);
  const other = useQuery({ ...waiverQuery(params, rule), enabled: rule !== waiver.rule });
  const check = rule === waiver.rule ? waiver.eligibility : other.data?.eligibility;
  const form = useForm<Values, ThreeDayWaiver>({
    initial: { status: waiver.status, confirmed: waiver.confirmed },
    version: String(waiver.history.length),
    save: ({ status, confirmed }, version) => {
      const body: WaiverChange = { status: status as WaiverStatus, rule, confirmed, expected: Number(version) };
      return call('PUT /api/patients/:id/encounters/:encounterId/three-day-waiver', { params: { ...params }, body });
    },
    saved: ({ status }) => saved(`Three-day waiver: ${WAIVER_LABELS[status]}.`),
    takeTheirs: async () => {
      await client.invalidateQueries({ queryKey: ['three-day-waiver', params.encounterId] });
      close();
    },
  });
  return (
    <EditDrawer title="Three-day waiver" form={form} {...(canEdit ? { submit: 'Save' } : {})} close={close}>
      <NativeSelect
        label="Status"
        disabled={!canEdit}
        data={Object.entries(WAIVER_LABELS).map(([value, label]) => ({ value, label }))}
        {...textOf(form, 'status')}
      />
      <NativeSelect
        label="Waiver"
        disabled={!canEdit}
        value={rule}
        onChange={({ currentTarget }) => chooseRule(currentTarget.value as WaiverRule)}
        data={Object.entries(RULE_LABELS).map(([value, label]) => ({ value, label }))}
      />
      {check &&
        form.values.status === 'APPROVED' &&
        answerOf(check.conditions, form.values.confirmed) !== 'eligible' && (
          <Alert role="note" color="caution" title="Approved, but not shown to be eligible">
            By what is known, the answer is: {ANSWERS[answerOf(check.conditions, form.values.confirmed)]}. Check with
            the ACO or hospital that decides.
          </Alert>
        )}
      {check && <Conditions check={check} form={form} canEdit={canEdit} />}
      <History history={waiver.history} />
    </EditDrawer>
  );
};

/** The three-day waiver of a stay: its status, the check, and who set it when. */
export const WaiverDrawer = (props: Props) => {
  const { data, error, refetch } = useQuery({ ...waiverQuery(props.params, null), refetchOnWindowFocus: false });
  if (error && !data)
    return (
      <ErrorModal
        title="Couldn't load the three-day waiver."
        error={error}
        retry={() => void refetch()}
        close={props.close}
      />
    );
  return data ? <WaiverForm {...props} waiver={data} /> : null;
};

/** Returns the label of the button that opens it. */
export const waiverButton = ({ threeDayWaiverStatus }: Encounter): string =>
  threeDayWaiverStatus === 'NA' ? 'Three-day waiver' : `Three-day waiver: ${WAIVER_LABELS[threeDayWaiverStatus]}`;
