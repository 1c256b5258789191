import { Button, Checkbox, Textarea } from '@mantine/core';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { OTHER_TEXT_LIMIT, RESOLUTION_LABELS, RESOLUTIONS, type Resolution } from '#contract/management-status.ts';
import { useDraft } from '../session/drafts.ts';
import { useShortcutsOn } from '../ui/shortcuts.ts';
import { type Choice, resolutionDraft } from './status-change.ts';
import classes from './status-panel.module.css';

interface Props {
  patientId: string;
  eventIdentifier: string;
  /** Whether this user may resolve a ping as "Brought Patient Back on Census". */
  backOnCensus: boolean;
  cancel: () => void;
  choose: (choice: Choice) => void;
}

/** An unfinished resolution. It belongs to one event of the patient. */
interface Draft {
  eventIdentifier: string;
  resolutions: Resolution[];
  otherText: string;
}

const offeredReasons = (backOnCensus: boolean): Resolution[] =>
  RESOLUTIONS.filter((code) => code !== 'SYSTEM_RESOLVED' && (code !== 'BACK_ON_CENSUS' || backOnCensus));

/** Asks how a ping was resolved: at least one reason, none preselected, and details for "Other". */
export const ResolvePanel = ({ patientId, eventIdentifier, backOnCensus, cancel, choose }: Props) => {
  const empty: Draft = { eventIdentifier, resolutions: [], otherText: '' };
  const { draft, write, forget } = useDraft(resolutionDraft(patientId), empty);
  const current = draft.eventIdentifier === eventIdentifier ? draft : empty;
  const { resolutions, otherText } = current;
  const [submitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const offered = offeredReasons(backOnCensus);
  const other = resolutions.includes('OTHER');
  const reasonMissing = resolutions.length === 0;
  const textMissing = other && !otherText.trim();
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[type=checkbox]')?.focus(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (reasonMissing) form.current?.querySelector<HTMLInputElement>('input')?.focus();
    else if (textMissing) form.current?.querySelector('textarea')?.focus();
    // What was typed is kept until it is saved.
    else choose({ status: 'RESOLVED', resolutions, ...(other ? { otherText: otherText.trim() } : {}) });
  };
  const isOn = useShortcutsOn();
  /** 1 chooses the first reason, or takes it back. */
  const chooseByKey = (event: KeyboardEvent): void => {
    const code = offered[Number(event.key) - 1];
    if (!code || !isOn || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    const others = resolutions.filter((one) => one !== code);
    write({ ...current, resolutions: resolutions.includes(code) ? others : [...others, code] });
  };
  return (
    <form
      ref={form}
      className={classes.resolve}
      onSubmit={submit}
      onKeyDown={chooseByKey}
      noValidate
      aria-label="Resolve this ping"
    >
      <Checkbox.Group
        label="How was it resolved?"
        value={resolutions}
        onChange={(value) => write({ ...current, resolutions: value })}
        error={submitted && reasonMissing ? ERRORS.RESOLUTION_REQUIRED[1] : null}
      >
        <div className={classes.reasons}>
          {offered.map((code) => (
            <Checkbox key={code} value={code} label={RESOLUTION_LABELS[code]} />
          ))}
        </div>
      </Checkbox.Group>
      {other && (
        <Textarea
          label="Add details"
          required
          rows={3}
          resize="vertical"
          maxLength={OTHER_TEXT_LIMIT}
          value={otherText}
          onChange={({ currentTarget }) => write({ ...current, otherText: currentTarget.value })}
          error={submitted && textMissing ? ERRORS.OTHER_TEXT_REQUIRED[1] : null}
          description={`${otherText.length} of ${OTHER_TEXT_LIMIT} characters`}
        />
      )}
      <div className={classes.actions}>
        <Button type="submit">Resolve</Button>
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
    </form>
  );
};
