import { Button, Text } from '@mantine/core';
import { type DragEvent, type RefObject, useId, useRef, useState } from 'react';
import { IconFileText, IconUpload } from '../ui/icons.ts';
import classes from './rosters.module.css';

const MEBIBYTE = 1024 ** 2;

/** Returns a size in the unit that fits: "640 KB", "12 MB", "1 GB". */
export const sizeOf = (bytes: number): string => {
  if (bytes < MEBIBYTE) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return bytes < 1024 * MEBIBYTE ? `${Math.round(bytes / MEBIBYTE)} MB` : `${Math.round(bytes / 1024 / MEBIBYTE)} GB`;
};

interface Props {
  file: File | null;
  choose: (file: File | null) => void;
  /** What is accepted. */
  hint: string;
  error: string | null;
  disabled: boolean;
}

/** Only a file counts: text or a link can be dragged, too. */
const holdsFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** The browser's own field, which its button opens. */
const HiddenInput = ({
  field,
  disabled,
  choose,
}: {
  field: RefObject<HTMLInputElement | null>;
  disabled: boolean;
  choose: (file: File) => void;
}) => (
  <input
    ref={field}
    type="file"
    accept=".csv,.txt,.tsv,text/csv,text/plain"
    className={classes.input}
    aria-label="Roster file"
    tabIndex={-1}
    disabled={disabled}
    onChange={({ currentTarget }) => {
      const [chosen] = currentTarget.files ?? [];
      // The same file can be chosen again after it was corrected.
      currentTarget.value = '';
      if (chosen) choose(chosen);
    }}
  />
);

/** A field for one file, which can be dropped on it or chosen with the button. */
export const DropZone = ({ file, choose, hint, error, disabled }: Props) => {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const over = (event: DragEvent): void => {
    if (disabled || !holdsFile(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped && !disabled) choose(dropped);
  };
  const Icon = file ? IconFileText : IconUpload;
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button and its field do the same by keyboard */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-error={error ? true : undefined}
        data-testid="drop-zone"
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon size={28} stroke={1.5} aria-hidden />
        {file ? (
          <Text fw={600} className={classes.fileName}>
            {file.name} <span className={classes.dim}>{sizeOf(file.size)}</span>
          </Text>
        ) : (
          <Text fw={600}>{isOver ? 'Drop the file to choose it' : 'Drop a roster file here'}</Text>
        )}
        <HiddenInput field={input} disabled={disabled} choose={choose} />
        <span className={classes.acts}>
          <Button
            size="xs"
            variant={file ? 'default' : 'filled'}
            aria-describedby={`${id}-hint`}
            data-error={error ? true : undefined}
            disabled={disabled}
            onClick={() => input.current?.click()}
          >
            {file ? 'Choose another file' : 'Choose file'}
          </Button>
          {file && (
            <Button size="xs" variant="default" disabled={disabled} onClick={() => choose(null)}>
              Remove file
            </Button>
          )}
        </span>
        <Text size="xs" c="dimmed" id={`${id}-hint`} className={classes.hint}>
          {hint}
        </Text>
      </div>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
};
