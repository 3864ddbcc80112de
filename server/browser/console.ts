import { enableCopyButtons } from './copy-buttons.js';
import { enablePlayground } from './playground.js';
import { enableReference } from './reference.js';
import { startTokenCountdown } from './token-countdown.js';

enableCopyButtons();
startTokenCountdown();
enableReference();
enablePlayground();
