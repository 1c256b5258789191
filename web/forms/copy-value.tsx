import { Button } from '@mantine/core';
import { useState } from 'react';
import { IconCheck, IconCopy } from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';
import classes from './forms.module.css';

/** Copies `text` to the clipboard, and says so. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      showToast({
        type: 'warning',
        message: 'Your browser blocked copying. Select the text and copy it yourself.',
      });
    }
  };
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      size="compact-xs"
      variant="default"
      style={{ flex: 'none' }}
      leftSection={<Icon size={14} stroke={1.75} aria-hidden />}
      aria-label={copied ? `${label} copied` : `Copy ${label}`}
      onClick={() => void copy()}
    >
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
};

/** A value to be entered in another system: labeled, selectable, with a button that copies it. */
export const CopyValue = ({ label, value }: { label: string; value: string }) => (
  <div className={classes.copyValue}>
    <div>
      <div className={classes.copyLabel}>{label}</div>
      <code className={classes.code}>{value}</code>
    </div>
    <CopyButton text={value} label={label} />
  </div>
);
