import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useBack } from '../router/use-back.ts';

/** Mantine's modal, which Back closes too, and whose cross has a name. */
export const Modal = ({ closeButtonProps, ...props }: ModalProps) => {
  useBack(props.onClose, props.opened);
  return <MantineModal closeButtonProps={{ 'aria-label': 'Close', ...closeButtonProps }} {...props} />;
};
