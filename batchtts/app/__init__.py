"""Composes the rooms: plan, render, redo, status, verify. Commands call these functions and print what they return."""
