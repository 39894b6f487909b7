import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

export interface MenuAction {
  label: string;
  isDanger?: boolean;
  onChoose: () => void;
}

/** The menu with the actions for a row. `name` is the label of its button. */
export function ActionsMenu(props: { name: string; actions: readonly MenuAction[] }): ReactNode {
  const { name, actions } = props;
  const button = useRef<HTMLButtonElement>(null);

  // Moves the focus to the button before running the action. If the action opens a dialog, the
  // dialog later returns the focus to the button, because the menu item no longer exists.
  function choose({ onChoose }: MenuAction): void {
    button.current?.focus();
    onChoose();
  }

  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={name}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.label}
            {...(action.isDanger === true ? { color: 'red' } : {})}
            onClick={() => choose(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
