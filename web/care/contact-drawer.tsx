import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CareTeamRecord } from '#contract/care.ts';
import { CARE_LIMITS } from '#contract/care-limits.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { type Form, useForm } from '../forms/use-form.ts';
import { useSession } from '../session/session.ts';
import { careTeamQuery } from './care-queries.ts';
import type { EntryHandlers } from './use-edited.ts';

interface Values {
  contactName: string;
  contactJobTitle: string;
  program: string;
  contactPhone: string;
  contactEmail: string;
  contactFax: string;
  content: string;
  isCalledFirst: boolean;
}

const valuesOf = (record: CareTeamRecord | null): Values => ({
  contactName: record?.contactName ?? '',
  contactJobTitle: record?.contactJobTitle ?? '',
  program: record?.program ?? '',
  contactPhone: record?.contactPhone ?? '',
  contactEmail: record?.contactEmail ?? '',
  contactFax: record?.contactFax ?? '',
  content: record?.content ?? '',
  isCalledFirst: record?.isCalledFirst ?? false,
});

const NOBODY_FIRST = 'No one from your group is called first now.';

/** Returns what a change did to the order of calls; empty if nothing. `first`: who was called first before. */
const whoIsFirst = (now: CareTeamRecord, before: CareTeamRecord | null, first: CareTeamRecord | undefined): string => {
  if (now.isCalledFirst && first) return ` ${now.contactName} is called first now, not ${first.contactName}.`;
  return before?.isCalledFirst && !now.isCalledFirst ? ` ${NOBODY_FIRST}` : '';
};

const PlanField = ({ form }: { form: Form<Values> }) => (
  <Textarea
    label="Care plan"
    description="Other organizations see that there is a plan, not what it says."
    rows={8}
    maxLength={CARE_LIMITS.plan}
    {...textOf(form, 'content')}
  />
);

const ContactFields = ({ form }: { form: Form<Values> }) => (
  <>
    <TextInput label="Name" maxLength={CARE_LIMITS.name} {...textOf(form, 'contactName')} />
    <TextInput label="Job title" maxLength={CARE_LIMITS.title} {...textOf(form, 'contactJobTitle')} />
    <TextInput label="Program" maxLength={CARE_LIMITS.program} {...textOf(form, 'program')} />
    <TextInput label="Phone" type="tel" maxLength={CARE_LIMITS.phone} {...textOf(form, 'contactPhone')} />
    <TextInput label="Email" type="email" maxLength={CARE_LIMITS.email} {...textOf(form, 'contactEmail')} />
    <TextInput label="Fax" type="tel" maxLength={CARE_LIMITS.phone} {...textOf(form, 'contactFax')} />
  </>
);

/** The form of a contact with its care plan, or of a new one. */
export const ContactDrawer = ({
  patientId,
  record,
  isPlan = false,
  handlers,
}: {
  patientId: string;
  /** Null for a new one. */
  record: CareTeamRecord | null;
  /** Whether it was opened to write a care plan, which is then required and comes first. */
  isPlan?: boolean;
  handlers: EntryHandlers;
}) => {
  const seesPlan = useSession().can('canViewCarePlans');
  const { data: contacts = [] } = useQuery(careTeamQuery(patientId));
  const first = contacts.find(
    (other) =>
      other.isCalledFirst && other.id !== record?.id && (record ? other.groupId === record.groupId : other.editable),
  );
  const form = useForm<Values, CareTeamRecord>({
    initial: valuesOf(record),
    check: ({ contactName, content }) => ({
      content: isPlan && !content.trim() ? 'Enter a care plan.' : undefined,
      contactName: contactName.trim() ? undefined : 'Enter a name.',
    }),
    version: record?.version,
    save: ({ content, ...values }, version) => {
      // Users who can't see the plan don't change it.
      const body = seesPlan ? { ...values, content } : values;
      return record
        ? call('PUT /api/patients/:id/care-team/:recordId', {
            params: { id: patientId, recordId: record.id },
            body: { ...body, version: version ?? record.version },
          })
        : call('POST /api/patients/:id/care-team', { params: { id: patientId }, body });
    },
    saved: (now) => handlers.saved(`${now.contactName} was saved.${whoIsFirst(now, record, first)}`),
    outdated: handlers.outdated,
    takeTheirs: handlers.takeTheirs,
  });
  return (
    <EditDrawer
      title={record ? record.contactName : isPlan ? 'Add care plan' : 'Add contact'}
      form={form}
      submit="Save"
      close={handlers.close}
    >
      {seesPlan && isPlan && <PlanField form={form} />}
      <ContactFields form={form} />
      <Checkbox
        label="Call first"
        description={
          first
            ? `Instead of ${first.contactName}: one contact of your group at a time.`
            : 'One contact of your group at a time.'
        }
        {...tickOf(form, 'isCalledFirst')}
      />
      {seesPlan && !isPlan && <PlanField form={form} />}
      {record && (
        <RemoveButton
          kind="contact"
          what={record.contactName}
          act={() =>
            call('DELETE /api/patients/:id/care-team/:recordId', { params: { id: patientId, recordId: record.id } })
          }
          done={(message) => handlers.saved(record.isCalledFirst ? `${message} ${NOBODY_FIRST}` : message)}
        >
          The contact and its care plan end for every team. They stay on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
