import { Button, Checkbox, Textarea } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ERRORS } from '#contract/errors.ts';
import { OTHER_TEXT_LIMIT, RESOLUTION_LABELS, RESOLUTIONS, type Resolution } from '#contract/management-status.ts';
import { useDraft } from '../session/drafts.ts';
import classes from './status-panel.module.css';
import { type Choice, draftOf } from './use-status-changes.ts';

interface Props {
  patientId: string;
  eventIdentifier: string;
  /** Whether bringing back on census is a resolution that this user may give. */
  backOnCensus: boolean;
  cancel: () => void;
  choose: (choice: Choice) => void;
}

/** What is half written belongs to one event of the patient. */
interface Draft {
  eventIdentifier: string;
  resolutions: Resolution[];
  otherText: string;
}

/** How it was resolved: one reason or more; the other kind is described. Nothing is chosen beforehand. */
export const ResolvePanel = ({ patientId, eventIdentifier, backOnCensus, cancel, choose }: Props) => {
  const empty: Draft = { eventIdentifier, resolutions: [], otherText: '' };
  const { draft, write, forget } = useDraft(draftOf(patientId), empty);
  const now = draft.eventIdentifier === eventIdentifier ? draft : empty;
  const { resolutions, otherText } = now;
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const offered = RESOLUTIONS.filter(
    (code) => code !== 'SYSTEM_RESOLVED' && (code !== 'BACK_ON_CENSUS' || backOnCensus),
  );
  const other = resolutions.includes('OTHER');
  const lacksReason = resolutions.length === 0;
  const lacksText = other && !otherText.trim();
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[type=checkbox]')?.focus(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (lacksReason) form.current?.querySelector<HTMLInputElement>('input')?.focus();
    else if (lacksText) form.current?.querySelector('textarea')?.focus();
    else {
      forget();
      choose({ status: 'RESOLVED', resolutions, ...(other ? { otherText: otherText.trim() } : {}) });
    }
  };
  return (
    <form ref={form} className={classes.resolve} onSubmit={submit} noValidate aria-label="Resolve this ping">
      <Checkbox.Group
        label="How was it resolved?"
        value={resolutions}
        onChange={(value) => write({ ...now, resolutions: value })}
        error={tried && lacksReason ? ERRORS.RESOLUTION_REQUIRED[1] : null}
      >
        <div className={classes.reasons}>
          {offered.map((code) => (
            <Checkbox key={code} value={code} label={RESOLUTION_LABELS[code]} />
          ))}
        </div>
      </Checkbox.Group>
      {other && (
        <Textarea
          label="Describe the other resolution"
          required
          rows={3}
          resize="vertical"
          maxLength={OTHER_TEXT_LIMIT}
          value={otherText}
          onChange={({ currentTarget }) => write({ ...now, otherText: currentTarget.value })}
          error={tried && lacksText ? ERRORS.OTHER_TEXT_REQUIRED[1] : null}
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
