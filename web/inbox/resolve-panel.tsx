import { Button, Checkbox, Text, Textarea } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { LOGGED_CONTACTS_COUNT } from '#contract/follow-up-words.ts';
import { OTHER_TEXT_LIMIT, RESOLUTION_LABELS, type Resolution } from '#contract/management-status.ts';
import { useDraft } from '../session/drafts.ts';
import { useCommands } from '../ui/commands.ts';
import { type Choice, resolutionDraft } from './status-change.ts';
import classes from './status-panel.module.css';

interface Props {
  patientId: string;
  /** What is resolved: the stay, or one event. What was typed about something else isn't taken over. */
  scope: string;
  /** The events that the user sees. */
  events?: readonly string[];
  /** Whether the sender has retracted it since the form was opened. */
  retracted?: boolean;
  /** The reasons to choose from. */
  offered: readonly Resolution[];
  /** What a resolution of the `known` events is about, and what else there is by now. `include` makes it about that too. */
  about?: (known: readonly string[], include: () => void) => ReactNode;
  cancel: () => void;
  /** `known`: the events that it is about. */
  choose: (choice: Choice, known: readonly string[]) => void;
}

/** An unfinished resolution. */
interface Draft {
  scope: string;
  /** The events that the user knew of when they began. */
  known: readonly string[];
  resolutions: Resolution[];
  otherText: string;
}

interface ReasonsProps {
  offered: readonly Resolution[];
  chosen: Resolution[];
  choose: (chosen: Resolution[]) => void;
  isMissing: boolean;
}

const Reasons = ({ offered, chosen, choose, isMissing }: ReasonsProps) => (
  <>
    <Checkbox.Group
      label="How was it resolved?"
      value={chosen}
      onChange={choose}
      error={isMissing ? ERRORS.RESOLUTION_REQUIRED[1] : null}
    >
      <div className={classes.reasons}>
        {offered.map((code) => (
          <Checkbox key={code} value={code} label={RESOLUTION_LABELS[code]} />
        ))}
      </div>
    </Checkbox.Group>
    {chosen.includes('CONTACTED_PATIENT') && (
      <Text c="dimmed" size="sm">
        {LOGGED_CONTACTS_COUNT}
      </Text>
    )}
  </>
);

interface DetailsProps {
  text: string;
  write: (text: string) => void;
  isMissing: boolean;
}

const Details = ({ text, write, isMissing }: DetailsProps) => (
  <Textarea
    label="Add details"
    required
    rows={3}
    resize="vertical"
    maxLength={OTHER_TEXT_LIMIT}
    value={text}
    onChange={({ currentTarget }) => write(currentTarget.value)}
    error={isMissing ? ERRORS.OTHER_TEXT_REQUIRED[1] : null}
    description={`${text.length} of ${OTHER_TEXT_LIMIT} characters`}
  />
);

/** Asks how a ping was resolved: at least one reason, none preselected, and details for "Other". */
export const ResolvePanel = ({
  patientId,
  scope,
  events = [],
  retracted = false,
  offered,
  about,
  cancel,
  choose,
}: Props) => {
  const [opened] = useState(events);
  const empty: Draft = { scope, known: opened, resolutions: [], otherText: '' };
  const { draft, write, forget } = useDraft(resolutionDraft(patientId), empty);
  const current = draft.scope === scope ? draft : empty;
  const { known, resolutions, otherText } = current;
  const [submitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const other = resolutions.includes('OTHER');
  const reasonMissing = resolutions.length === 0;
  const textMissing = other && !otherText.trim();
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[type=checkbox]')?.focus(), []);
  const isOtherByKey = useRef(false);
  useEffect(() => {
    // What is typed next are the details.
    if (other && isOtherByKey.current) form.current?.querySelector('textarea')?.focus();
    isOtherByKey.current = false;
  }, [other]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (retracted) return;
    setSubmitted(true);
    if (reasonMissing) form.current?.querySelector<HTMLInputElement>('input')?.focus();
    else if (textMissing) form.current?.querySelector('textarea')?.focus();
    // What was typed is kept until it is saved.
    else choose({ status: 'RESOLVED', resolutions, ...(other ? { otherText: otherText.trim() } : {}) }, known);
  };
  useCommands({
    // 1 chooses the first reason, or takes it back.
    'ping.reason': (event) => {
      const code = offered[Number(event?.key) - 1];
      if (!code) return;
      event?.preventDefault();
      isOtherByKey.current = code === 'OTHER';
      const others = resolutions.filter((one) => one !== code);
      write({ ...current, resolutions: resolutions.includes(code) ? others : [...others, code] });
    },
  });
  return (
    <form ref={form} className={classes.resolve} onSubmit={submit} noValidate aria-label="Resolve this ping">
      <Reasons
        offered={offered}
        chosen={resolutions}
        choose={(chosen) => write({ ...current, resolutions: chosen })}
        isMissing={submitted && reasonMissing}
      />
      {other && (
        <Details
          text={otherText}
          write={(text) => write({ ...current, otherText: text })}
          isMissing={submitted && textMissing}
        />
      )}
      <div className={classes.actions}>
        {!retracted && <Button type="submit">Resolve</Button>}
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            forget();
            cancel();
          }}
        >
          Cancel
        </Button>
      </div>
      {/* Below, so that nothing moves under the pointer. */}
      {about?.(known, () => write({ ...current, known: events }))}
    </form>
  );
};
