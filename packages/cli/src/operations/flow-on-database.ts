import { changeFlowRule, closeKey, listFlowKeys, listFlowRules, openKey, previewFlowRule } from '@duework/operate';
import type { Act } from '@duework/queue-core';
import type { CommandParts } from '../program-parts.js';
import type { FlowOperations } from './flow-operations.js';

interface FlowParts extends Pick<CommandParts, 'db'> {
  readonly act: (reason?: string) => Act;
}

export function flowOnDatabase({ db, act }: FlowParts): FlowOperations {
  return {
    list: async () => listFlowRules(await db()),
    keys: async (rule, page) => listFlowKeys(await db(), rule, page),
    preview: async (rule, change) => previewFlowRule(await db(), rule, change),
    change: async (rule, change, reason) => changeFlowRule(await db(), rule, change, act(reason)),
    close: async (key, duration, reason) => closeKey(await db(), key, duration, act(reason)),
    open: async (key, reason) => openKey(await db(), key, act(reason)),
  };
}
