import { Textarea } from '@mantine/core';
import type { CareInstruction, INSTRUCTION_KINDS } from '#contract/care.ts';
import { CARE_LIMITS } from '#contract/care-limits.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { FormFile } from './form-file.tsx';
import type { EntryHandlers } from './use-edited.ts';

export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

interface Values {
  instruction: string;
  /** Chosen, and not uploaded yet. */
  file: File | null;
}

/** The form of an instruction with its file, or of a new one. */
export const InstructionDrawer = ({
  patientId,
  kind,
  entry,
  handlers,
}: {
  patientId: string;
  kind: InstructionKind;
  /** Null for a new one. */
  entry: CareInstruction | null;
  handlers: EntryHandlers;
}) => {
  const form = useForm<Values, CareInstruction>({
    initial: { instruction: entry?.instruction ?? '', file: null },
    check: ({ instruction, file }) => ({
      instruction: instruction.trim() ? undefined : 'Enter the instruction.',
      file: file ? 'This file is not uploaded yet. Choose "Upload form", or remove it.' : undefined,
    }),
    version: entry?.version,
    save: ({ instruction }, version) =>
      entry
        ? call('PUT /api/patients/:id/instructions/:instructionId', {
            params: { id: patientId, instructionId: entry.id },
            body: { instruction, version: version ?? entry.version },
          })
        : call('POST /api/patients/:id/instructions', { params: { id: patientId }, body: { kind, instruction } }),
    saved: () => handlers.saved('The instruction was saved.'),
    outdated: handlers.outdated,
    takeTheirs: handlers.takeTheirs,
  });
  const title = `${entry ? 'Edit' : 'Add'} ${kind === 'ADMIT' ? 'admit' : 'discharge'} instruction`;
  return (
    <EditDrawer title={title} form={form} submit="Save" close={handlers.close}>
      <Textarea
        label="Instruction"
        description={entry ? undefined : 'To attach a form, save the instruction first, then edit it.'}
        rows={5}
        maxLength={CARE_LIMITS.instruction}
        {...textOf(form, 'instruction')}
      />
      {entry && (
        <FormFile
          patientId={patientId}
          entry={entry}
          file={form.values.file}
          choose={(file) => form.change({ file })}
          error={form.values.file && form.errorOf('file')}
          saved={handlers.saved}
        />
      )}
      {entry && (
        <RemoveButton
          kind="instruction"
          what="this instruction"
          act={() =>
            call('DELETE /api/patients/:id/instructions/:instructionId', {
              params: { id: patientId, instructionId: entry.id },
            })
          }
          done={handlers.saved}
        >
          The instruction and its form end for every team. They stay on record.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
