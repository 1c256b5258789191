import { Alert, Button, Group, Progress, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ERRORS } from '#contract/errors.ts';
import type { RosterJob } from '#contract/rosters.ts';
import { call } from '../api/call.ts';
import { ApiError, reasonOf } from '../api/error.ts';
import { applicationInfoQuery } from '../session/queries.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { AttestationFields, NOTHING_ATTESTED } from './attestation-fields.tsx';
import { type ColumnChoices, mappingOf, problemsOf } from './column-choices.ts';
import { ColumnsStep } from './columns-step.tsx';
import { DropZone, sizeOf } from './drop-zone.tsx';
import {
  type AttestedFile,
  headersQuery,
  latestUploadQuery,
  readColumns,
  refreshUploads,
  uploadRoster,
} from './roster-queries.ts';
import classes from './rosters.module.css';

type Group = { id: string; name: string };

/** The beginning of the chosen file, as the server reads it. */
const useSample = (groupId: string) => useMutation({ mutationFn: (file: File) => readColumns(groupId, file) });

/** The upload of a file: `part` is how much has been sent, 0 to 1. What was said about its columns is kept first. */
const useUpload = (groupId: string, done: (job: RosterJob) => void) => {
  const client = useQueryClient();
  const [part, setPart] = useState(0);
  const abort = useRef<AbortController | null>(null);
  const upload = useMutation({
    mutationFn: async ({ headers, ...chosen }: AttestedFile & { headers: ReturnType<typeof mappingOf> }) => {
      const sending = new AbortController();
      abort.current = sending;
      setPart(0);
      if (headers.length > 0) {
        const kept = await call('PUT /api/rosters/:groupId/headers', { params: { groupId }, body: { headers } });
        client.setQueryData(headersQuery(groupId).queryKey, kept);
      }
      return uploadRoster(groupId, chosen, setPart, sending.signal);
    },
    onSuccess: (job) => {
      done(job);
      client.setQueryData(latestUploadQuery(groupId).queryKey, job);
      void refreshUploads(client, groupId);
    },
  });
  return { ...upload, part, stop: () => abort.current?.abort() };
};

const Refused = ({ title, children }: { title: string; children: string }) => (
  <Alert role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
    {children} The roster is unchanged.
  </Alert>
);

/** How far the upload is, or why it failed. */
const UploadState = ({
  isPending,
  part,
  error,
}: Pick<ReturnType<typeof useUpload>, 'isPending' | 'part' | 'error'>) => {
  if (isPending)
    return (
      <div>
        <Progress value={part * 100} aria-label="Upload progress" />
        <Text size="xs" c="dimmed" className="tabular">
          {Math.floor(part * 100)}% uploaded
        </Text>
      </div>
    );
  if (error instanceof DOMException) return <Text size="sm">Upload stopped. The roster is unchanged.</Text>;
  if (!error) return null;
  return (
    <Refused title="The file wasn't uploaded">
      {error instanceof ApiError ? error.message : 'The upload was interrupted. Try again.'}
    </Refused>
  );
};

/** Why the beginning of the file could not be read; null if it could. */
const refusalOf = ({ error, data }: ReturnType<typeof useSample>): string | null =>
  error ? reasonOf(error) : (data?.fileError ?? null);

/** Everything that the form holds, and how it is sent. */
const useForm = (group: Group, sent: (job: RosterJob) => void) => {
  const { data: info } = useQuery(applicationInfoQuery);
  const [file, setFile] = useState<File | null>(null);
  const [attestation, setAttestation] = useState(NOTHING_ATTESTED);
  const [choices, setChoices] = useState<ColumnChoices>(new Map());
  const [isMissing, setMissing] = useState(false);
  const sample = useSample(group.id);
  const upload = useUpload(group.id, (job) => {
    sent(job);
    setFile(null);
    setAttestation(NOTHING_ATTESTED);
  });
  const isTooLarge = file !== null && info !== undefined && file.size > info.limits.rosterBytes;
  const headers = sample.data?.headers ?? [];
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setMissing(false);
    setChoices(new Map());
    upload.reset();
    sample.reset();
    if (chosen && !(info && chosen.size > info.limits.rosterBytes)) sample.mutate(chosen);
  };
  return {
    info,
    file,
    choose,
    attestation,
    setAttestation,
    choices,
    setChoices,
    isMissing,
    setMissing,
    sample,
    upload,
    isTooLarge,
    headers,
    refusal: refusalOf(sample),
    isReadable: sample.data !== undefined && refusalOf(sample) === null && problemsOf(headers, choices).length === 0,
  };
};

/** Chooses a file, shows how its columns are read, asks for the relationship with the people in it, and sends it. */
export const UploadForm = ({ group, sent }: { group: Group; sent: (job: RosterJob) => void }) => {
  const form = useForm(group, sent);
  const { file, sample, upload, attestation, choices, headers, info } = form;
  const element = useRef<HTMLDivElement>(null);
  const send = (): void => {
    const { relationship, isConfirmed } = attestation;
    const isMissing = !file || !relationship || !isConfirmed;
    flushSync(() => form.setMissing(isMissing));
    if (isMissing)
      element.current
        ?.querySelector<HTMLElement>(':is(button, input, select):is([aria-invalid="true"], [data-error])')
        ?.focus();
    else if (form.isReadable) upload.mutate({ file, relationship, headers: mappingOf(headers, choices) });
  };
  const limits = info
    ? `, up to ${info.limits.rosterRows.toLocaleString('en-US')} rows and ${sizeOf(info.limits.rosterBytes)}`
    : '';
  return (
    <div ref={element} className={classes.upload}>
      <section aria-label="File">
        <h2 className={classes.step}>1. Choose the file</h2>
        <DropZone
          file={file}
          choose={form.choose}
          disabled={upload.isPending}
          hint={`CSV with a header row${limits}. It replaces the entire roster of this group, once you have seen what changes.`}
          error={form.isMissing && !file ? 'Choose a file first.' : form.isTooLarge ? ERRORS.TOO_LARGE[1] : null}
        />
      </section>
      {!file && (
        <section aria-label="Columns">
          <h2 className={classes.step}>2. Match columns</h2>
          <Text size="sm" c="dimmed">
            Choose a file to see how its columns are read.
          </Text>
        </section>
      )}
      {sample.isPending && <Skeleton h={80} aria-label="Reading the columns" />}
      {form.refusal && <Refused title="This file can't be read">{form.refusal}</Refused>}
      {file && sample.data && form.refusal === null && (
        <ColumnsStep
          key={file.name + file.lastModified}
          sample={sample.data}
          choices={choices}
          choose={form.setChoices}
        />
      )}
      <section aria-label="Relationship" className={classes.fields}>
        <h2 className={classes.step}>3. Confirm the relationship</h2>
        <AttestationFields
          groupName={group.name}
          value={attestation}
          change={form.setAttestation}
          showMissing={form.isMissing}
        />
      </section>
      <Group gap="sm">
        <Button
          disabled={form.isTooLarge || (file !== null && !form.isReadable)}
          loading={upload.isPending}
          onClick={send}
        >
          Upload and preview
        </Button>
        {upload.isPending && (
          <Button variant="default" onClick={upload.stop}>
            Stop upload
          </Button>
        )}
      </Group>
      <UploadState isPending={upload.isPending} part={upload.part} error={upload.error} />
    </div>
  );
};
