import { Button, FileInput, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CareInstruction } from '#contract/care.ts';
import { FORM_MAX_BYTES, FORM_TYPES } from '#contract/care-limits.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { uploadForm } from './care-queries.ts';

/** Uploads, replaces or removes the form of an instruction. */
export const FormFile = ({
  patientId,
  entry: { id: instructionId, form },
  file,
  choose,
  error,
  saved,
}: {
  patientId: string;
  entry: CareInstruction;
  /** The file that is chosen, and not uploaded yet. */
  file: File | null;
  choose: (file: File | null) => void;
  error: string | null | undefined;
  saved: (message: string) => void;
}) => {
  const params = { id: patientId, instructionId };
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadForm(params, chosen),
    onSuccess: ({ fileName }) => saved(`${fileName} was uploaded.`),
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/patients/:id/instructions/:instructionId/form', { params }),
    onSuccess: () => saved('The form was removed.'),
  });
  const isTooLarge = file !== null && file.size > FORM_MAX_BYTES;
  const failure = upload.error ?? remove.error;
  return (
    <div>
      <FileInput
        label="Form"
        description={`${form ? `Now: ${form.fileName}. A new file replaces it. ` : ''}PDF, PNG, or JPEG, up to 10 MB.`}
        placeholder="Choose a file"
        accept={FORM_TYPES.join()}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove file' }}
        value={file}
        onChange={(chosen) => {
          choose(chosen);
          upload.reset();
        }}
        error={isTooLarge ? 'This file is larger than 10 MB. Choose a smaller one.' : error}
      />
      {failure && (
        <Text role="alert" size="sm" mt="xs">
          The form wasn't changed. {reasonOf(failure)}
        </Text>
      )}
      <Group gap="sm" mt="xs">
        <Button
          size="xs"
          variant="default"
          disabled={!file || isTooLarge}
          loading={upload.isPending}
          onClick={() => file && upload.mutate(file)}
        >
          Upload form
        </Button>
        {form && (
          <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove form
          </Button>
        )}
      </Group>
    </div>
  );
};
