import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { SETTING_LABELS } from '#contract/event-codes.ts';
import { FACILITY_TYPE_LABELS } from '#contract/groups.ts';
import { DESTINATION_LABELS, PROGRAM_TEXTS } from '#contract/hl7-program-words.ts';
import type { AdminProgram } from '#contract/hl7-programs.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { useSession } from '../../session/session.ts';
import { choices } from '../labels.ts';
import type { EntryHandlers } from '../use-edited-list.ts';
import { FacilityField } from './facility-field.tsx';
import classes from './hl7-programs.module.css';
import { ProgramPreview } from './program-preview.tsx';
import { conditionsOf, fieldsOf, type ProgramValues, problemsOf, valuesOf } from './program-values.ts';

const any = <K extends string>(label: string, labels: Record<K, string>) => [{ value: '', label }, ...choices(labels)];
const TYPES = any('Any type', FACILITY_TYPE_LABELS);
const SETTINGS = any('Any setting', SETTING_LABELS);
const DESTINATIONS = any('Anywhere', DESTINATION_LABELS);

const useProgramForm = (program: AdminProgram | null, { saved, outdated, takeTheirs }: EntryHandlers) =>
  useForm<ProgramValues, AdminProgram>({
    initial: valuesOf(program),
    check: problemsOf,
    keys: { NAME_TAKEN: 'hl7BasedProgramName' },
    version: program?.version,
    save: (values, version) =>
      program
        ? call('PUT /api/admin/hl7-programs/:id', {
            params: { id: program.id },
            body: { ...fieldsOf(values), version },
          })
        : call('POST /api/admin/hl7-programs', { body: fieldsOf(values) }),
    saved: ({ hl7BasedProgramName }) => saved(`The program ${hl7BasedProgramName} was saved.`),
    outdated,
    takeTheirs,
  });

const Conditions = ({ form }: { form: Form<ProgramValues> }) => {
  const problem = form.errorOf('conditions');
  return (
    <fieldset className={classes.conditions}>
      <legend>A discharge enrolls the patient if all of these are true</legend>
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <FacilityField form={form} />
      <NativeSelect label="Facility type" data={TYPES} {...textOf(form, 'admittingFacilityType')} />
      <NativeSelect
        label="Discharge setting"
        description="The kind of care when the patient left."
        data={SETTINGS}
        {...textOf(form, 'dischargeSetting')}
      />
      <Textarea
        label="DRG codes"
        description="MS-DRGs of three digits, such as 291, 292 or 291-293. Any of them. Empty: any or none."
        rows={2}
        {...textOf(form, 'drgCodes')}
      />
      <Textarea
        label="Diagnosis codes"
        description="ICD-10-CM codes, or beginnings such as I50 for I50.9 and the like. Any of them. Empty: any."
        rows={2}
        {...textOf(form, 'diagnoses')}
      />
      <Checkbox
        label="Principal diagnosis only"
        description="The first final diagnosis. Without one, the first working diagnosis, then the admitting one."
        {...tickOf(form, 'principalOnly')}
      />
      <TextInput
        label="Payer"
        description="Words of the first payer's name or plan, such as Medicare. Medicare alone doesn't include Medicare Advantage or other plans with an insurer's name."
        maxLength={PROGRAM_TEXTS.payer.max}
        {...textOf(form, 'payer')}
      />
      <NativeSelect label="Discharged to" data={DESTINATIONS} {...textOf(form, 'dischargedTo')} />
    </fieldset>
  );
};

/** The form of a program, or of a new one, with a preview over the past year. */
export const ProgramDrawer = ({ program, ...handlers }: EntryHandlers & { program: AdminProgram | null }) => {
  const { can } = useSession();
  const form = useProgramForm(program, handlers);
  const { hl7BasedProgramName: _, ...problems } = problemsOf(form.values);
  const isValid = Object.values(problems).every((problem) => problem === undefined);
  return (
    <EditDrawer
      title={program ? program.hl7BasedProgramName : 'Add program'}
      form={form}
      submit="Save"
      wide
      close={handlers.close}
    >
      <TextInput label="Name" {...textOf(form, 'hl7BasedProgramName')} />
      <Conditions form={form} />
      <TextInput
        label="Validity period, in days"
        description="The day of discharge is the first day. Another such discharge starts the period again."
        inputMode="numeric"
        {...textOf(form, 'validityPeriod')}
      />
      {can('canViewPatients') && (
        <ProgramPreview
          program={isValid ? conditionsOf(form.values) : null}
          check={(within) => form.showProblems(within, problems)}
        />
      )}
      {program && (
        <RemoveButton
          kind="program"
          what={`the program ${program.hl7BasedProgramName}`}
          act={() => call('DELETE /api/admin/hl7-programs/:id', { params: { id: program.id } })}
          done={handlers.saved}
        >
          Everyone in it is unenrolled right away. Saved filters that use this program no longer find anyone through it.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
