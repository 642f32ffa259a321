#!/usr/bin/env node
import '@decision-ledger/server/command';
