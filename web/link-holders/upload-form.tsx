import { Button, FileInput, Text } from '@mantine/core';
import { DOCUMENT_MAX_BYTES } from '#contract/document-limits.ts';
import { reasonOf } from '../api/error.ts';
import { zoned } from '../explain/zoned.ts';
import { useForm } from '../forms/use-form.ts';
import { Problem } from '../sign-in/account-frame.tsx';
import type { QuestionProps } from './answer-form.tsx';
import classes from './link-holders.module.css';
import { isNotValid } from './not-valid.ts';
import { Answerer, type AnswererValues, missingOf, NO_ANSWERER, Patient } from './question-parts.tsx';
import { uploadToLink } from './upload-to-link.ts';

interface Values extends AnswererValues {
  file: File | null;
}

const TYPES = '.xml,.pdf,.rtf,.png,.jpg,.jpeg,.gif';

const missingFile = (file: File | null): string | undefined => {
  if (file === null) return 'Choose a file.';
  if (file.size === 0) return 'This file is empty. Choose another file.';
  return file.size > DOCUMENT_MAX_BYTES ? 'This file is larger than 16 MB. Choose a smaller one.' : undefined;
};

/** The discharge summary as a file, and who sends it. */
export const UploadForm = ({ token, birthDate, opened, answered, notValid }: QuestionProps) => {
  const form = useForm<Values, void>({
    initial: { file: null, ...NO_ANSWERER },
    check: ({ file, ...by }) => ({ file: missingFile(file), ...missingOf(by) }),
    save: async ({ file, ...by }) => {
      if (file === null) return;
      try {
        await uploadToLink({ token, birthDate, ...by }, file);
      } catch (error) {
        if (isNotValid(error)) notValid();
        throw error;
      }
    },
    saved: answered,
  });
  const { failure } = form;
  return (
    <>
      <Patient {...opened} />
      <Problem message={failure && !isNotValid(failure) ? reasonOf(failure) : null} />
      <form onSubmit={form.submit} noValidate className={classes.form}>
        <FileInput
          label="Discharge summary"
          description="C-CDA (XML), PDF, RTF, or a picture (PNG, JPEG, GIF), up to 16 MB. Only this patient's document."
          placeholder="Choose a file"
          accept={TYPES}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove file' }}
          value={form.values.file}
          error={form.errorOf('file')}
          errorProps={{ role: 'alert' }}
          onChange={(file) => form.change({ file })}
        />
        <Answerer form={form} />
        <Text size="sm" c="dimmed">
          You can send one file. The link works until {zoned(opened.expiresDate, opened.timeZone)}.
        </Text>
        <Button type="submit" loading={form.saving}>
          Send file
        </Button>
      </form>
    </>
  );
};
