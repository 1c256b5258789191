/** What the forms of all purposes have in common. */
import { Textarea, TextInput } from '@mantine/core';
import { LINK_NOTE_MAX_LENGTH } from '#contract/facility-link-words.ts';
import type { OpenedLink } from '#contract/facility-links.ts';
import { zoned } from '../explain/zoned.ts';
import { textOf } from '../forms/fields.ts';
import type { Form } from '../forms/use-form.ts';
import { formatDate } from '../ui/format/date.ts';
import classes from './link-holders.module.css';

/** Whom it is about: no more than the facility needs to find the patient in its own records. */
export const Patient = ({ patientName, birthDate, facilityName, admittedDate, timeZone, askedBy }: OpenedLink) => (
  <dl className={classes.facts}>
    <dt>Patient</dt>
    <dd>
      <strong>{patientName}</strong>, born {formatDate(birthDate)}
    </dd>
    <dt>Facility</dt>
    <dd>{facilityName}</dd>
    {admittedDate && (
      <>
        <dt>Admitted</dt>
        <dd>{zoned(admittedDate, timeZone)}</dd>
      </>
    )}
    <dt>Asked by</dt>
    <dd>{askedBy}</dd>
  </dl>
);

export interface AnswererValues {
  contactName: string;
  contactPhone: string;
  note: string;
}

export const NO_ANSWERER: AnswererValues = { contactName: '', contactPhone: '', note: '' };

/** Returns what is missing of who answers. */
export const missingOf = ({ contactName, contactPhone }: AnswererValues) => ({
  contactName: contactName.trim() ? undefined : 'Enter your name.',
  contactPhone: contactPhone.trim() ? undefined : 'Enter a phone number.',
});

/** Who answers, and what else they want to say. */
export const Answerer = ({ form }: { form: Pick<Form<AnswererValues>, 'values' | 'errorOf' | 'change'> }) => (
  <>
    <TextInput label="Your name" autoComplete="name" maxLength={100} {...textOf(form, 'contactName')} />
    <TextInput
      label="Phone for questions"
      type="tel"
      autoComplete="tel"
      maxLength={40}
      {...textOf(form, 'contactPhone')}
    />
    <Textarea label="Note (optional)" rows={3} maxLength={LINK_NOTE_MAX_LENGTH} {...textOf(form, 'note')} />
  </>
);
