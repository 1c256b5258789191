import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { CareTeamRecord } from '#contract/care.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { useSession } from '../session/session.ts';
import { LIMITS } from './care-limits.ts';
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

/** The form of a contact with its care plan, or of a new one. */
export const ContactDrawer = ({
  patientId,
  record,
  newTitle = 'Add contact',
  handlers,
}: {
  patientId: string;
  /** Null for a new one. */
  record: CareTeamRecord | null;
  newTitle?: string;
  handlers: EntryHandlers;
}) => {
  const seesPlan = useSession().can('canViewCarePlans');
  const form = useForm<Values, CareTeamRecord>({
    initial: valuesOf(record),
    check: ({ contactName }) => ({ contactName: contactName.trim() ? undefined : 'Enter a name.' }),
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
    saved: ({ contactName }) => handlers.saved(`${contactName} was saved.`),
    outdated: handlers.outdated,
    takeTheirs: handlers.takeTheirs,
  });
  return (
    <EditDrawer title={record ? record.contactName : newTitle} form={form} submit="Save" close={handlers.close}>
      <TextInput label="Name" maxLength={LIMITS.name} {...textOf(form, 'contactName')} />
      <TextInput label="Job title" maxLength={LIMITS.title} {...textOf(form, 'contactJobTitle')} />
      <TextInput label="Program" maxLength={LIMITS.program} {...textOf(form, 'program')} />
      <TextInput label="Phone" type="tel" maxLength={LIMITS.phone} {...textOf(form, 'contactPhone')} />
      <TextInput label="Email" type="email" maxLength={LIMITS.email} {...textOf(form, 'contactEmail')} />
      <TextInput label="Fax" type="tel" maxLength={LIMITS.fax} {...textOf(form, 'contactFax')} />
      <Checkbox
        label="Call first"
        description="One contact of your group at a time."
        {...tickOf(form, 'isCalledFirst')}
      />
      {seesPlan && (
        <Textarea
          label="Care plan"
          description="Other organizations see that there is a plan, not what it says."
          rows={8}
          maxLength={LIMITS.plan}
          {...textOf(form, 'content')}
        />
      )}
      {record && (
        <RemoveButton
          kind="contact"
          what={record.contactName}
          act={() =>
            call('DELETE /api/patients/:id/care-team/:recordId', { params: { id: patientId, recordId: record.id } })
          }
          done={handlers.saved}
        >
          The contact and its care plan end for every team. They stay on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
